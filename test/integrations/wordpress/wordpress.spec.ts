import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { formatReference, referencesInPage } from 'imprimatur-verifier';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { markPage } from '../../../packages/cli/src/marks/mark-page.ts';
import { type Fault, type FaultyApi, startApi } from '../faulty-api.ts';
import { service } from '../running-service.ts';
import { type Site, startSite } from './site.ts';

vi.mock('../../../functions/adapters/compose-services.ts', () => import('../running-service.ts'));
vi.mock('../../../functions/adapters/compose-records.ts', () => import('../running-service.ts'));
vi.mock('../../../functions/adapters/aws/cloudwatch-log.ts', () => import('../running-service.ts'));

const reader = 'https://check.example.org/reader.html';
let [api, site]: [FaultyApi, Site] = [] as never;

beforeAll(async () => {
  [api, site] = await Promise.all([startApi(), startSite()]);
  const options = { api_url: api.url, api_key: api.key, reader_url: reader, delay: '0' };
  for (const [name, value] of Object.entries(options))
    await site.php(`update_option('imprimatur_${name}', ${quoted(value)});`);
});
afterAll(async () => {
  api.stop();
  await site.stop();
});
beforeEach(() => {
  api.received.length = 0;
});

const quoted = (text: string) => `base64_decode('${Buffer.from(text).toString('base64')}')`;

interface Post {
  readonly title: string;
  readonly content: string;
  readonly [field: string]: string;
}

const itemsOf = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields).map(([name, value]) => `'${name}' => wp_slash(${quoted(value)}), `);

const insert = ({ title, content, ...more }: Post) => {
  const items = itemsOf({ post_title: title, post_content: content, post_status: 'publish', ...more });
  return site.php(`return wp_insert_post([${items.join('')}]);`) as Promise<number>;
};

const update = (id: number, fields: Readonly<Record<string, string>>) =>
  site.php(`return wp_update_post(['ID' => ${id}, ${itemsOf(fields).join('')}]);`);

const textOf = async (version: Version | undefined) => (await fetch(textUrl(version?.cid ?? ''))).text();

interface Version {
  readonly id: string;
  readonly cid: string;
  readonly status: string;
  readonly attestation_id: string;
  readonly link: string;
  readonly error: string;
  readonly next_at: string | null;
}

const versions = (id: number) =>
  site.php(
    `global $wpdb; return $wpdb->get_results("SELECT id, cid, status, attestation_id, link, error, next_at FROM {$wpdb->prefix}imprimatur_versions WHERE post_id = ${id} ORDER BY id");`,
  ) as Promise<Version[]>;

/** Code that makes all waiting steps due. */
const makeDue =
  'global $wpdb; $wpdb->query("UPDATE {$wpdb->prefix}imprimatur_versions SET next_at = 1 WHERE next_at IS NOT NULL");';

/** Runs the work, and the service, until nothing is left to do. */
async function runUntilDone() {
  for (let rounds = 0; rounds < 30; rounds++) {
    const left = await site.php(
      `${makeDue} Imprimatur\\work(); return wp_next_scheduled('imprimatur_work');`,
    );
    if (left === false) return;
    await service.untilIdle();
  }
  throw new Error('the work does not end after 30 rounds');
}

const pageOf = async (id: number) => {
  const response = await fetch(`${site.origin}/?p=${id}`);
  return { status: response.status, source: Buffer.from(await response.arrayBuffer()).toString('latin1') };
};

const textUrl = (cid: string) => `${site.origin}/?imprimatur_text=${cid}`;
const sent = (method: string) => api.received.filter((request) => request.startsWith(method));

describe('a post that is published', () => {
  it('is attested after the request, with the same marks as from `imprimatur html`', async () => {
    const title = 'Größe & “weight” <em>of</em> 𝔘nicode';
    const content = '<!-- wp:paragraph --><p>One  <b>two</b>&nbsp;&lt;3\r\nlines</p><!-- /wp:paragraph -->';
    const id = await insert({ title, content });
    expect(api.received).toEqual([]);
    await site.cron();
    expect(sent('POST')).toEqual(['POST /v1/attestations']);
    await runUntilDone();

    const [{ cid, status, attestation_id, link } = {} as Version] = await versions(id);
    expect({ status, link }).toEqual({ status: 'confirmed', link: '' });
    const { source } = await pageOf(id);
    const { references, ...found } = referencesInPage(Buffer.from(source, 'latin1').toString());
    expect(references, JSON.stringify(found)).toHaveLength(1);
    const reference = references.map(formatReference).join();
    expect(reference).toContain(cid);
    const marks = { reference, text: textUrl(cid), reader, badgeText: 'Check who published this, and when' };
    expect(markPage(source, marks)).toBe(source);

    const response = await fetch(textUrl(cid));
    const text = await response.text();
    expect(text).toBe('Größe & “weight” of 𝔘nicode\n\nOne two\u00a0<3 lines\n');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const row = await service.world.row({
      organizationId: '018f0000-0000-7000-8000-00000000000a',
      id: attestation_id,
    });
    expect(row).toMatchObject({
      contentCid: cid,
      digest: `0x${createHash('sha256').update(text).digest('hex')}`,
    });
    expect(row.url).toBe((await fetch(`${site.origin}/?p=${id}`)).url);
  });

  it('is attested once, even if hooks fire repeatedly and processes run concurrently', async () => {
    const id = await insert({ title: 'Twice', content: 'Once.' });
    await site.php(
      `for ($i = 0; $i < 3; $i++) do_action('wp_after_insert_post', ${id}, get_post(${id}), true, null);`,
    );
    api.faults.push('answer after 3 s');
    await Promise.all([1, 2, 3].map(() => site.php('Imprimatur\\work();')));
    await runUntilDone();
    await update(id, { post_content: 'Once.' });
    await runUntilDone();
    expect(sent('POST')).toEqual(['POST /v1/attestations']);
    expect(await versions(id)).toHaveLength(1);
  });

  it.each([
    [['refuse with 429', 'refuse with 503']],
    [['accept and hang up', 'accept and answer 500', 'refuse with 429']],
  ] satisfies [Fault[]][])('is attested once despite errors: %s', async (faults) => {
    api.faults.push(...faults);
    const id = await insert({ title: 'Fault', content: faults.join() });
    await site.php('Imprimatur\\work();');
    const [first] = await versions(id);
    expect(first).toMatchObject({ status: 'queued', attestation_id: '' });
    expect(Number(first?.next_at) - Date.now() / 1000).toBeGreaterThan(5);
    await runUntilDone();
    expect(await versions(id)).toMatchObject([{ status: 'confirmed', error: '' }]);
    expect(api.faults).toEqual([]);
    const { attestations } = (await getJson('/v1/attestations?limit=200')).body as {
      attestations: { contentCid: string }[];
    };
    expect(attestations.filter(({ contentCid }) => contentCid === first?.cid)).toHaveLength(1);
  });
});

/** Runs the work in a process that cached a post before another process changes it. */
async function workWithStaleCache(id: number, change: () => Promise<unknown>, filters = '') {
  const mark = `${site.directory}/has-read`;
  const work = site.php(`${filters} get_post(${id}); get_post_meta(${id}); touch('${mark}');
    while (file_exists('${mark}')) { usleep(10000); clearstatcache(); }
    Imprimatur\\work();`);
  while (!existsSync(mark)) await pause(20);
  await change();
  rmSync(mark);
  await work;
}

describe('a post that is changed after it was cached', () => {
  it('is attested as stored', async () => {
    const id = await insert({ title: 'Copy', content: 'Frist.' });
    await workWithStaleCache(id, () => update(id, { post_content: 'First.' }));
    await runUntilDone();
    const stored = await versions(id);
    expect(stored).toMatchObject([{ status: 'confirmed' }]);
    expect(await textOf(stored[0])).toBe('Copy\n\nFirst.\n');
    expect(sent('POST')).toHaveLength(1);
  });

  it('is attested again if it is saved in the same second in which its text is read', async () => {
    const id = await insert({ title: 'Second', content: 'First.' });
    await site.php(`
      add_filter('imprimatur_text', function ($text) {
        static $is_saved = false;
        if (!$is_saved) { $is_saved = true; wp_update_post(['ID' => ${id}, 'post_content' => 'Second.']); }
        return $text;
      });
      // At the start of a second, so that everything happens in the same one.
      time_sleep_until(ceil(microtime(true)) + 0.01);
      do_action('wp_after_insert_post', ${id}, get_post(${id}), true, null);
      Imprimatur\\work();`);
    await runUntilDone();
    expect(await textOf((await versions(id)).at(-1))).toBe('Second\n\nSecond.\n');
  });

  it('is not attested if a filter now excludes it', async () => {
    const id = await insert({ title: 'Copy for members', content: 'Members.' });
    const rule =
      "add_filter('imprimatur_is_eligible', fn($yes, $post) => $yes && '' === get_post_meta($post->ID, 'members', true), 10, 2);";
    await workWithStaleCache(id, () => site.php(`update_post_meta(${id}, 'members', 'yes');`), rule);
    expect(sent('POST')).toEqual([]);
    expect(await versions(id)).toEqual([]);
    await site.php(`wp_delete_post(${id}, true);`);
  });
});

const child = async (version?: Version) => {
  const { body } = await getJson(`/v1/attestations/${version?.attestation_id}`);
  return body.childAttestationId;
};

describe('a post that is changed', () => {
  it('has linked versions that can still be read, and sends nothing if its text did not change', async () => {
    const id = await insert({ title: 'Correction', content: 'Frist.' });
    await runUntilDone();
    api.received.length = 0;
    await update(id, { post_excerpt: 'Another excerpt', post_name: 'another-address' });
    await runUntilDone();
    expect(api.received).toEqual([]);

    api.faults.push('accept and answer 500');
    await update(id, { post_content: 'First.' });
    // Until the new text is attested, the page has no marks.
    expect((await pageOf(id)).source).not.toContain('attestation-badge');
    await runUntilDone();
    await update(id, { post_content: 'First, and second.' });
    await runUntilDone();
    const [one, two, three] = await versions(id);
    expect([one, two, three].map((version) => version?.link)).toEqual(['', 'linked', 'linked']);
    expect(await child(one)).toBe(two?.attestation_id);
    expect(await child(two)).toBe(three?.attestation_id);
    expect(await textOf(one)).toBe('Correction\n\nFrist.\n');

    // Back to an earlier text: a link would create a cycle.
    api.received.length = 0;
    await update(id, { post_content: 'First.' });
    await runUntilDone();
    expect(api.received).toEqual([]);
  });

  it('links a failed version between its neighbors after a retry', async () => {
    const id = await insert({ title: 'Failed', content: 'One' });
    await runUntilDone();
    api.faults.push('refuse with 503');
    await update(id, { post_content: 'Two' });
    await site.php(`Imprimatur\\work(); global $wpdb;
      $wpdb->query("UPDATE {$wpdb->prefix}imprimatur_versions SET status = 'failed', next_at = NULL WHERE post_id = ${id} AND status = 'queued'");`);
    await update(id, { post_content: 'Three' });
    await runUntilDone();
    const [one, two, three] = await versions(id);
    expect(two).toMatchObject({ status: 'failed' });
    expect(await child(one)).toBe(three?.attestation_id);
    await site.php(`Imprimatur\\resume('post_id = %d', ${id});`);
    await runUntilDone();
    const again = await versions(id);
    expect(again.map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'confirmed']);
    expect(await child(again[0])).toBe(again[1]?.attestation_id);
    expect(await child(again[1])).toBe(again[2]?.attestation_id);
  });

  it('is attested once after several quick changes', async () => {
    await site.php(`update_option('imprimatur_delay', '5');`);
    const id = await insert({ title: 'Quick', content: 'One' });
    await update(id, { post_content: 'Two' });
    await site.php('Imprimatur\\work();');
    expect(api.received).toEqual([]);
    await site.php(`update_option('imprimatur_delay', '0');`);
    await update(id, { post_content: 'Three' });
    await runUntilDone();
    expect(sent('POST')).toHaveLength(1);
    expect(await versions(id)).toHaveLength(1);
  });
});

it('a post with unreadable markup is shown without marks', async () => {
  const id = await insert({ title: 'Unreadable', content: 'Seen.' });
  await runUntilDone();
  await site.php(
    `global $wpdb; $wpdb->update($wpdb->posts, ['post_content' => '<p>Seen.</p><img src=data:image/png;base64,' . str_repeat('A', 100000) . '>'], ['ID' => ${id}]);`,
  );
  const { status, source } = await pageOf(id);
  expect(status).toBe(200);
  expect(source).toContain('<title>Unreadable');
  expect(source).toContain('Seen.');
  expect(source).toContain('</html>');
  expect(source).not.toContain('attestation-badge');
});

async function getJson(path: string) {
  const response = await fetch(`${api.url}${path}`, { headers: { Authorization: `Bearer ${api.key}` } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('nothing is sent', () => {
  it.each([
    ['a draft', { post_status: 'draft' }],
    ['a post with a password', { post_password: 'secret' }],
    ['a page, which was not chosen', { post_type: 'page' }],
    [
      'a post without text',
      { post_title: '', post_content: '<!-- wp:image --><img src="a.png"><!-- /wp:image -->' },
    ],
  ])('of %s', async (_, fields) => {
    const id = await insert({ title: 'Not for everybody', content: 'Secret.', ...fields });
    await runUntilDone();
    expect(api.received).toEqual([]);
    expect(await versions(id)).toEqual([]);
  });

  it('of a revision, an autosave or a preview', async () => {
    const id = await insert({ title: 'Preview', content: 'Published.' });
    // While the version waits, and afterwards.
    await site.php(`
      wp_set_current_user(1);
      require_once ABSPATH . 'wp-admin/includes/post.php';
      wp_create_post_autosave(['post_ID' => ${id}, 'post_title' => 'Preview', 'post_content' => 'Not yet.', 'post_excerpt' => '']);
      wp_save_post_revision(${id});`);
    await runUntilDone();
    await site.php(`wp_save_post_revision(${id});`);
    await runUntilDone();
    expect(sent('POST')).toHaveLength(1);
    const [version, ...others] = await versions(id);
    expect([version?.status, await textOf(version), others]).toEqual([
      'confirmed',
      'Preview\n\nPublished.\n',
      [],
    ]);
    expect((await pageOf(id)).source).toContain('attestation-badge');
    const cookie = await login();
    const [, session = ''] = /wordpress_logged_in_\w+=([^;]+)/.exec(cookie) ?? [];
    const nonce = await site.php(`
      $_COOKIE[LOGGED_IN_COOKIE] = urldecode('${session}'); wp_set_current_user(1);
      return wp_create_nonce('post_preview_${id}');`);
    const preview = `${site.origin}/?p=${id}&preview=true&preview_id=${id}&preview_nonce=${nonce}`;
    const page = await (await fetch(preview, { headers: { cookie } })).text();
    expect(page).toContain('Not yet.');
    expect(page).not.toMatch(/attestation-badge|propertyID|Attested text/);
  });

  it('of a post that becomes private before or after it was sent', async () => {
    const early = await insert({ title: 'Early', content: 'Early.' });
    await update(early, { post_status: 'private' });
    api.faults.push('refuse with 503');
    const queued = await insert({ title: 'Queued', content: 'Queued.' });
    await site.php('Imprimatur\\work();');
    expect(sent('POST')).toHaveLength(1);
    await update(queued, { post_status: 'private' });
    const late = await insert({ title: 'Late', content: 'Late.' });
    await runUntilDone();
    expect(sent('POST')).toHaveLength(2);
    api.received.length = 0;
    const [{ cid } = {} as Version] = await versions(late);
    expect((await fetch(textUrl(cid))).status).toBe(200);
    await update(late, { post_status: 'private', post_content: 'Late, and changed.' });
    await runUntilDone();
    expect(api.received).toEqual([]);
    expect((await fetch(textUrl(cid))).status).toBe(404);
    await update(late, { post_status: 'publish', post_password: 'secret', post_content: 'Late.' });
    await runUntilDone();
    expect(api.received).toEqual([]);
    expect(await pageOf(late)).toMatchObject({ status: 200, source: expect.not.stringContaining(cid) });

    // The post is public again, so the work continues.
    await update(queued, { post_status: 'publish' });
    await runUntilDone();
    expect(await versions(queued)).toMatchObject([{ status: 'confirmed' }]);
  });

  it('of a post that another process makes private during the work', async () => {
    const first = await insert({ title: 'Slow', content: 'Slow.' });
    const second = await insert({ title: 'Private meanwhile', content: 'Private meanwhile.' });
    api.faults.push('answer after 3 s');
    const work = site.php('Imprimatur\\work();');
    while (sent('POST').length === 0) await pause(20);
    await update(second, { post_status: 'private' });
    await work;
    await runUntilDone();
    expect(sent('POST')).toHaveLength(1);
    expect(await versions(first)).toMatchObject([{ status: 'confirmed' }]);
    expect(await versions(second)).toMatchObject([{ status: 'queued', attestation_id: '' }]);
  });

  it('of a scheduled post before its time; then it is attested', async () => {
    const id = await insert({ title: 'Later', content: 'Later.', post_date: '2099-01-01 00:00:00' });
    await runUntilDone();
    expect(api.received).toEqual([]);
    await site.php(`wp_publish_post(${id});`);
    await runUntilDone();
    expect(await versions(id)).toMatchObject([{ status: 'confirmed' }]);
  });

  it('of imported posts, and of posts that a filter excludes', async () => {
    await site.php(
      `define('WP_IMPORTING', true); wp_insert_post(['post_title' => 'I', 'post_content' => 'I', 'post_status' => 'publish']);`,
    );
    await site.php(
      `add_filter('imprimatur_is_eligible', '__return_false'); wp_insert_post(['post_title' => 'M', 'post_content' => 'M', 'post_status' => 'publish']);`,
    );
    await runUntilDone();
    expect(api.received).toEqual([]);
  });
});

async function login(): Promise<string> {
  const response = await fetch(`${site.origin}/wp-login.php`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
    body: new URLSearchParams({ log: 'admin', pwd: 'pw-admin', testcookie: '1' }),
  });
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  return cookies.join('; ');
}

describe('the settings', () => {
  const address = () => `${site.origin}/wp-admin/options-general.php?page=imprimatur`;

  const save = async (cookie: string, nonce: string, fields: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({
      option_page: 'imprimatur',
      action: 'update',
      _wpnonce: nonce,
      ...fields,
    });
    const send = { method: 'POST', redirect: 'manual', headers: { cookie }, body } as const;
    return (await fetch(`${site.origin}/wp-admin/options.php`, send)).status;
  };

  const settingsPage = async (cookie: string) => (await fetch(address(), { headers: { cookie } })).text();

  const nonceOf = (page: string) => /name="_wpnonce" value="(\w+)"/.exec(page)?.[1] ?? '';

  const whole = () => ({
    ...{ imprimatur_api_url: api.url, imprimatur_api_key: '', imprimatur_reader_url: reader },
    ...{ imprimatur_badge: 'Check it', imprimatur_delay: '0', 'imprimatur_types[]': 'post' },
  });

  it('are available only to administrators, and never show the key', async () => {
    expect((await fetch(address(), { redirect: 'manual' })).status).toBe(302);
    const cookie = await login();
    const page = await settingsPage(cookie);
    expect(page).toContain('stored; leave empty to keep it');
    expect(page).not.toContain(api.key);
    expect(await save(cookie, 'wrong', whole())).toBe(403);
    expect(await save(cookie, nonceOf(page), whole())).toBe(302);
    expect(await site.php(`return [Imprimatur\\api_key(), get_option('imprimatur_badge')];`)).toEqual([
      api.key,
      'Check it',
    ]);
  });

  it('refuse a URL over which others could read the key', async () => {
    const cookie = await login();
    const page = await settingsPage(cookie);
    for (const url of ['http://imprimatur.example', 'https://user:pw@imprimatur.example', 'ftp://127.0.0.1'])
      await save(cookie, nonceOf(page), { ...whole(), imprimatur_api_url: url, imprimatur_api_key: 'short' });
    expect(await site.php(`return [Imprimatur\\api_url(), Imprimatur\\api_key()];`)).toEqual([
      api.url,
      api.key,
    ]);
  });

  it('show failures, with a link to retry', async () => {
    const id = await insert({ title: 'Stopped <b>', content: 'Stopped.' });
    await runUntilDone();
    await site.php(
      `global $wpdb; $wpdb->query("UPDATE {$wpdb->prefix}imprimatur_versions SET status = 'failed', error = '<i>' WHERE post_id = ${id}");`,
    );
    const cookie = await login();
    const page = await settingsPage(cookie);
    expect(page).toContain('&lt;i&gt;');
    const [, link = ''] = /href="([^"]*imprimatur_retry[^"]*)"/.exec(page) ?? [];
    const again = link.replaceAll('&#038;', '&').replaceAll('&amp;', '&');
    expect((await fetch(again.replace(/_wpnonce=\w+/, '_wpnonce=x'), { headers: { cookie } })).status).toBe(
      403,
    );
    expect(await versions(id)).toMatchObject([{ status: 'failed' }]);
    expect((await fetch(again, { headers: { cookie }, redirect: 'manual' })).status).toBe(302);
    await runUntilDone();
    expect(await versions(id)).toMatchObject([{ status: 'confirmed' }]);
  });
});

describe('the text of a post', () => {
  it.each([
    ['classic paragraphs', 'One\nline\n\nTwo', 'One\nline\n\nTwo'],
    [
      'lists and tables',
      '<ul><li>a</li><li>b <i>c</i></li></ul><table><tr><td>d</td></tr></table>',
      'a\n\nb c\n\nd',
    ],
    ['code', '<pre>\n  if (a &lt; b)\r\n\n\n    c();\n</pre>', '  if (a < b)\n\n\n    c();'],
    ['no hidden elements', 'a<script>b</script><!-- c --><style>d</style>', 'a'],
    ['a `<` that starts no tag', 'a <3 b', 'a <3 b'],
    ['no attributes, even with brackets', '<a title="x>y">z</a>', 'z'],
    ['shortcodes, as they are written', '[gallery ids="1"]', '[gallery ids="1"]'],
  ])('has %s', async (_, content, expected) => {
    const code = `return Imprimatur\\text_of(new WP_Post((object) ['post_title' => 'T', 'post_content' => ${quoted(content)}]));`;
    expect(await site.php(code)).toBe(`T\n\n${expected}\n`);
  });
});

it('uninstalling leaves nothing behind, and the plugin logged no warning', async () => {
  const log = await site.php(`return @file_get_contents('${site.directory}/debug.log');`);
  expect(
    String(log)
      .split('\n')
      .filter((line) => line.includes('imprimatur')),
  ).toEqual([]);
  expect(String(log)).not.toContain(api.key);
  await site.php(`
    require_once ABSPATH . 'wp-admin/includes/plugin.php';
    deactivate_plugins('imprimatur/imprimatur.php');
    define('WP_UNINSTALL_PLUGIN', 'imprimatur/imprimatur.php');
    include WP_PLUGIN_DIR . '/imprimatur/uninstall.php';`);
  const left = await site.php(`
    global $wpdb;
    return [
      $wpdb->get_col("SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%imprimatur%'"),
      $wpdb->get_col("SHOW TABLES LIKE '%imprimatur%'"),
      $wpdb->get_col("SELECT meta_key FROM $wpdb->postmeta WHERE meta_key LIKE '%imprimatur%'"),
      wp_next_scheduled('imprimatur_work'),
    ];`);
  expect(left).toEqual([[], [], [], false]);
});
