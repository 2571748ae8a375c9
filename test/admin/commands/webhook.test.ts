import { expect, test } from 'vitest';
import type { WebhookRequest } from '../../../functions/domain/webhooks/post-event.ts';
import { isSignedBy } from '../../functions/domain/webhooks/webhook-world.ts';
import { run, runJson } from './fake-deployment.ts';
import { url, withWebhook } from './with-webhook.ts';

test('`webhook create` prints the secret once', async () => {
  const { deployment, org, webhook } = await withWebhook();
  expect(webhook).toEqual({
    ...{ id: expect.any(String), organizationId: org, url, createdAt: '2026-01-02T03:04:05.679Z' },
    secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/),
  });
  for (const args of [['list'], ['list', '--org', org]]) {
    const { out } = await run(deployment, 'webhook', ...args);
    expect(out).toContain(`${webhook.id}  ${org}  0        0             1        active  ${url}`);
    expect(out).not.toContain('whsec_');
  }
  const { out } = await run(deployment, 'webhook', 'create', '--org', org, '--url', url);
  expect(out).toMatch(
    /^secret +whsec_\S+\nid .+\norganization .+\nurl .+\nGive the secret to the receiver now/,
  );
});

test("the audit trail contains each webhook command and the URL's host, but no secret and no token", async () => {
  const { deployment, org, webhook, advance } = await withWebhook();
  advance(1);
  await runJson(deployment, 'webhook', 'rotate', '--org', org, String(webhook.id));
  advance(1);
  await runJson(deployment, 'webhook', 'remove', '--org', org, String(webhook.id));
  const { entries } = await runJson(deployment, 'audit', 'list', org);
  const webhookId = webhook.id;
  expect((entries as { action: string; details: object }[]).slice(-3)).toMatchObject([
    { action: 'webhook create', details: { host: 'news.example.org' } },
    { action: 'webhook rotate', details: { webhookId } },
    { action: 'webhook remove', details: { webhookId } },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/whsec_|token/);
});

test.each([
  ['http://news.example.org/', "a webhook's URL begins with https://"],
  ['https://10.0.0.1/', 'a webhook is at a public domain, not at an IP address or a local name'],
  ['news.example.org', 'a webhook is an https URL of at most 2000 characters'],
])('`webhook create` rejects %s', async (text, reason) => {
  const { deployment, org } = await withWebhook();
  const refused = await run(deployment, 'webhook', 'create', '--org', org, '--url', text);
  expect([refused.exitCode, refused.error]).toEqual([1, `admin: ${reason}\n`]);
});

test('`webhook rotate` keeps the former secret valid for a day', async () => {
  const { deployment, org, webhook, advance } = await withWebhook();
  const rotated = await runJson(deployment, 'webhook', 'rotate', '--org', org, String(webhook.id));
  expect(rotated).toMatchObject({ formerUntil: '2026-01-03T03:04:05.679Z' });
  expect(rotated.secret).not.toBe(webhook.secret);
  const secrets = async () => (await runJson(deployment, 'webhook', 'list')).webhooks;
  expect(await secrets()).toMatchObject([{ secrets: 2 }]);
  advance(24);
  expect(await secrets()).toMatchObject([{ secrets: 1 }]);
});

test.each([['rotate'], ['remove'], ['update', '--url', url]])(
  '`webhook %s` rejects an unknown id',
  async (command, ...more) => {
    const { deployment, org } = await withWebhook();
    const id = '01890000-0000-7000-8000-000000000000';
    const { exitCode, error } = await run(deployment, 'webhook', command, '--org', org, id, ...more);
    expect([exitCode, error]).toEqual([
      1,
      `admin: there is no webhook ${id}; \`webhook list --org ORG\` shows them\n`,
    ]);
  },
);

test('`webhook dead-letters` lists events, and `webhook replay --all` sends them again with the same ids', async () => {
  const { deployment, org, heard, send, queue, advance } = await withWebhook();
  const messageId = await queue();
  await send(500);
  expect((await run(deployment, 'webhook', 'dead-letters', '--org', org)).out).toBe(
    'There are no dead letters.\n',
  );
  expect((await runJson(deployment, 'webhook', 'list')).webhooks).toMatchObject([
    { waiting: 1, deadLetters: 0 },
  ]);
  advance(73);
  await send(503);
  const { out } = await run(deployment, 'webhook', 'dead-letters', '--org', org);
  expect(out).toBe(
    'EVENT                                            TRIES  LAST TRY                  LAST ANSWER\n' +
      `${messageId}  2      2026-01-05T04:04:05.679Z  HTTP 503\n` +
      `When the receiver works again, run webhook replay --org ${org} --all.\n`,
  );
  expect((await runJson(deployment, 'webhook', 'list')).webhooks).toMatchObject([
    { waiting: 0, deadLetters: 1 },
  ]);
  expect(await runJson(deployment, 'webhook', 'replay', '--org', org, '--all')).toEqual({ events: 1 });
  expect(await runJson(deployment, 'webhook', 'replay', '--org', org, '--all')).toEqual({ events: 0 });
  await send(204);
  expect(heard.map(({ headers }) => headers['webhook-id'])).toEqual([messageId, messageId, messageId]);
  expect((await runJson(deployment, 'webhook', 'list')).webhooks).toMatchObject([
    { waiting: 0, deadLetters: 0 },
  ]);
});

test('`webhook replay --all` sends all dead letters again, and reports malformed ones', async () => {
  const { deployment, org, webhook, heard, send, queue, advance } = await withWebhook();
  const many = 1_010;
  const messageIds: string[] = [];
  for (let position = 1; position <= many; position++) messageIds.push(await queue(position));
  await send(404);
  advance(73);
  await send(404);
  const [bad = ''] = messageIds;
  const pk = `delivery#${org}#${webhook.id}`;
  await deployment.records.update({ key: { table: 'webhooks', pk, sk: bad }, set: { tries: 'many' } });
  expect((await runJson(deployment, 'webhook', 'list')).webhooks).toMatchObject([{ deadLetters: many }]);
  const { events: deadLetters } = await runJson(deployment, 'webhook', 'dead-letters', '--org', org);
  expect(deadLetters).toHaveLength(many);
  expect(deadLetters).toContainEqual(
    expect.objectContaining({ messageId: bad, answer: 'stored delivery: tries is missing or malformed' }),
  );
  const { exitCode, out } = await run(deployment, 'webhook', 'replay', '--org', org, '--all');
  expect([exitCode, out]).toEqual([
    1,
    `${many - 1} events are due now. To see the waiting events, run webhook list.\n` +
      `Skipped because malformed:\n${bad}\n`,
  ]);
  const again = await runJson(deployment, 'webhook', 'replay', '--org', org, '--all');
  expect(again).toEqual({ events: 0, unreadable: [bad] });
  heard.length = 0;
  await send(204);
  expect(new Set(heard.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(messageIds.slice(1)));
});

test('`webhook update` changes the URL and keeps the secret', async () => {
  const { deployment, org, webhook, heard, send, queue } = await withWebhook();
  const moved = 'https://other.example.org/hooks';
  const id = String(webhook.id);
  const { out } = await run(deployment, 'webhook', 'update', '--org', org, id, '--url', moved);
  expect(out).toBe(`id   ${id}\nurl  ${moved}\n`);
  await queue();
  await send(204);
  expect(heard.at(-1)?.url).toBe(moved);
  expect(isSignedBy(String(webhook.secret), heard.at(-1) as WebhookRequest)).toBe(true);
  const { entries } = await runJson(deployment, 'audit', 'list', org);
  const details = { webhookId: id, host: 'other.example.org' };
  expect(entries).toContainEqual(expect.objectContaining({ action: 'webhook update', details }));
  const refused = await run(deployment, 'webhook', 'update', '--org', org, id, '--url', 'https://10.0.0.1/');
  expect(refused.error).toContain('not at an IP address or a local name');
});

test('`webhook list` shows a disabled or postponed webhook, and `webhook update` with the same URL enables it', async () => {
  const { deployment, org, webhook, send, queue, advance } = await withWebhook();
  await queue();
  await send(503, { retryAfter: '7200' });
  const listed = () => run(deployment, 'webhook', 'list');
  expect((await listed()).out).toContain(`1        not before 2026-01-02T05:04:05.679Z  ${url}`);
  advance(2);
  expect((await listed()).out).toContain(`1        active  ${url}`);
  await send(410);
  expect((await listed()).out).toContain(`1        disabled 2026-01-02T05:04:05.679Z  ${url}`);
  await run(deployment, 'webhook', 'update', '--org', org, String(webhook.id), '--url', url);
  expect((await listed()).out).toContain(`1        active  ${url}`);
  await send(204);
  expect((await runJson(deployment, 'webhook', 'list')).webhooks).toMatchObject([
    { waiting: 0, deadLetters: 0 },
  ]);
});

test.each([
  [410, undefined, 'is disabled; to enable it, run webhook update'],
  [503, '7200', 'accepts no events before 2026-01-02T05:04:05.679Z; to send now, run webhook update'],
])('`webhook replay` warns if the receiver answered %i', async (status, retryAfter, why) => {
  const { deployment, org, webhook, send, queue, store } = await withWebhook();
  const messageId = await queue();
  await send(status, retryAfter === undefined ? {} : { retryAfter });
  const confirmed = await store({ status: 'confirmed', attestationIndex: 7 });
  const replay = (...args: string[]) => ['webhook', 'replay', '--org', org, ...args];
  const note = `webhook ${webhook.id} ${why}`;
  for (const [args, due] of [
    [['--event', messageId], '1 event is due now. To see the waiting events, run webhook list.'],
    [['--all'], 'There are no events to send again.'],
    [['--attestation', confirmed.id], '1 event is due now. To see the waiting events, run webhook list.'],
  ] as const)
    expect(await run(deployment, ...replay(...args))).toMatchObject({
      exitCode: 0,
      out: `${due}\n${note}\n`,
    });
  expect(await runJson(deployment, ...replay('--all'))).toEqual({ events: 0, warnings: [note] });
});

test('`webhook create` warns if the restored tables have no stream', async () => {
  const { deployment, org } = await withWebhook();
  const settings = await deployment.settings();
  const tables = { attestations: 'aaa', lanes: 'lll', queue: 'qqq', organizations: 'ooo' };
  deployment.settings = async () => ({ ...settings, existing: { tables } });
  const warning =
    'The webhook gets no events yet, because the restored attestations table has no stream. Run admin doctor.';
  const create = ['webhook', 'create', '--org', org, '--url', url];
  expect((await run(deployment, ...create)).out).toContain(`\n${warning}\n`);
  expect(await runJson(deployment, ...create)).toMatchObject({ warning });
});

test.each([[[]], [['--all', '--event', 'msg_1']]])(
  '`webhook replay` requires exactly one selection: %j',
  async (options) => {
    const { deployment, org } = await withWebhook();
    const { exitCode, error } = await run(deployment, 'webhook', 'replay', '--org', org, ...options);
    expect([exitCode, error]).toEqual([
      2,
      'admin: pass exactly one of --all, --event, --attestation, and --since\n',
    ]);
  },
);
