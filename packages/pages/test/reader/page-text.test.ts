import { expect, test } from 'vitest';
import { fileOf as authoritiesFile, signedEntry } from '../../../verifier/test/publisher/entries.ts';
import { linkingPage, textFile, texts } from './attested.ts';
import { attested, reader, setReaderScene } from './reader-scene.ts';

const url = 'https://news.example/texts/1.txt';
const allowed = { 'access-control-allow-origin': '*', 'content-type': 'text/plain; charset=utf-8' };
const button = 'Get the text from news.example';

setReaderScene();

const saved = (href: string | undefined, shown: string = texts.unchanged, head = '') =>
  linkingPage(attested.unchanged, { href, shown, head });

/** The host, as the browser meets it. */
const serve = (body: string, headers: Record<string, string> = allowed, status = 200) =>
  reader.page.route(url, (route) => route.fulfill({ status, body, headers }));

const asked = () => reader.opened.requested.filter((one) => one.startsWith('https:'));
const get = () => reader.page.getByRole('button', { name: button }).click();
const giveSaved = (href: string | undefined = url, shown?: string) =>
  reader.give({ files: [saved(href, shown)], rpc: attested.rpcUrl });

test('a host is asked for the text of a page when the reader presses, told what it learns, and then it is checked', async () => {
  let headers: Record<string, string> = {};
  await reader.page.route(url, (route) => {
    headers = route.request().headers();
    return route.fulfill({ body: texts.unchanged, headers: allowed });
  });
  await giveSaved();
  const main = reader.page.locator('main');
  expect(await main.textContent()).toContain(
    `news.example learns your IP address, and that you ask for ${url}; nothing else is sent`,
  );
  expect(asked()).toEqual([]);
  await get();
  await reader.page.getByRole('button', { name: `Remove ${url}` }).waitFor();
  expect(await reader.page.getByRole('button', { name: button }).count()).toBe(0);
  expect(asked()).toEqual([url]);
  expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['cookie', 'referer']));
  expect((await reader.check()).title).toMatch(/^Its text is unchanged since/);
  const facts = await reader.facts();
  for (const words of [
    `Given: saved.html, ${url}.`,
    'The verdict is of the text, and not of the page that names it.',
    'The words of the text are in the page’s source, in their order.',
    'news.example for the text that the page links to',
  ])
    expect(facts).toContain(words);
  await reader.page.getByText('The text, as it was checked').click();
  expect(await reader.page.locator('pre').textContent()).toBe(texts.unchanged);
  expect(reader.opened.complaints).toEqual([]);
});

test('a page that was checked without its text has the question beside the verdict, and is checked again with it', async () => {
  await serve(texts.unchanged);
  const { title } = await reader.check({ files: [saved(url, 'Other words.')], rpc: attested.rpcUrl });
  expect(title).toMatch(/^Unknown/);
  expect(asked()).toEqual([]);
  await get();
  await reader.page.getByText('Unchanged since').first().waitFor();
  expect(await reader.facts()).toContain(
    'The words of the text are not in the page as they stand, from paragraph 1',
  );
});

test('a domain that vouches makes no page green, whose words anybody may have changed', async () => {
  const entry = { chainIds: [31_337], since: '2020-01-01T00:00:00Z' };
  const body = authoritiesFile(await signedEntry('news.example', 1, entry));
  await reader.page.route('https://news.example/.well-known/*', (route) =>
    route.fulfill({ body, headers: allowed }),
  );
  await reader.check({ files: [saved(url), textFile(texts.unchanged)], rpc: attested.rpcUrl });
  await reader.page.getByLabel('Domain of the publisher').fill('news.example');
  await reader.page.getByRole('button', { name: 'Ask it' }).click();
  await reader.page.getByText('news.example vouches for it.').waitFor();
  expect(await reader.page.locator('.verdict.fair').textContent()).toContain('Signed by news.example');
  expect(await reader.page.locator('.good').count()).toBe(0);
});

test.each([
  ['corrected', 'Its text was corrected since', () => attested.corrected, texts.corrected],
  ['withdrawn', 'Its text was withdrawn by the authority', () => attested.withdrawn, texts.withdrawn],
  ['another', 'Its text is not the attested one', () => attested.unchanged, 'Another text.\n'],
  [
    'one with other line endings',
    'Its text has the same words, other line endings',
    () => attested.unchanged,
    texts.unchanged.replaceAll('\n', '\r\n'),
  ],
  [
    'one with a space too many',
    'Its text is not exactly the attested one',
    () => attested.unchanged,
    texts.unchanged.replace(' spring\n', ' spring \n'),
  ],
] as const)('the text of a page that is %s is said to be that', async (_, title, reference, text) => {
  const files = [linkingPage(reference(), { href: url }), textFile(text)];
  expect((await reader.check({ files, rpc: attested.rpcUrl })).title).toContain(title);
  expect(await reader.page.getByRole('status').textContent()).toContain(title);
});

test('a page of more than 10 MB is refused, and not scanned', async () => {
  const { name, buffer } = saved(url);
  const large = {
    name,
    mimeType: 'text/html',
    buffer: Buffer.concat([buffer, Buffer.alloc(10_000_000, 'a')]),
  };
  expect((await reader.check({ files: [large], rpc: attested.rpcUrl })).summary).toContain(
    'saved.html is larger than 10 MB',
  );
  expect(await reader.page.getByText('The text of the page').count()).toBe(0);
});

test('a text that is not the attested one is told to be altered, whatever the page shows', async () => {
  await serve(`${texts.unchanged}.`);
  await giveSaved();
  await get();
  await reader.page.getByRole('button', { name: `Remove ${url}` }).waitFor();
  expect((await reader.check()).title).toContain('Its text is not the attested one');
});

const refusals: readonly [name: string, answer: Parameters<typeof serve>, words: string][] = [
  [
    'lets no page read it',
    [texts.unchanged, { 'access-control-allow-origin': 'https://news.example' }],
    'does not let pages read it',
  ],
  ['has none', ['', allowed, 404], 'is answered with HTTP 404'],
  [
    'has a web page there',
    ['<p>', { ...allowed, 'content-type': 'text/html' }],
    'is answered with a web page',
  ],
  ['has one that is too long', ['a'.repeat(1_048_577)], 'is longer than 1 MiB'],
  [
    'is redirected',
    ['', { ...allowed, location: 'https://elsewhere.example/1.txt' }, 302],
    'is at another address',
  ],
];

test.each(refusals)('where the host %s, the reader is told how to go on', async (_, answer, words) => {
  await serve(...answer);
  await giveSaved();
  await get();
  const problem = reader.page.getByRole('alert').filter({ hasText: 'The text' });
  await problem.getByText(words).waitFor();
  expect(await problem.textContent()).toContain(
    'That says nothing against it. Open it, save it, and choose or drop',
  );
  expect(await problem.getByRole('link').getAttribute('href')).toBe(url);
  expect(asked()).toEqual([url]);
  await reader.give({ files: [textFile(texts.unchanged)] });
  expect((await reader.check()).title).toMatch(/^Its text is unchanged since/);
});

test('a host that is not there is told so, and can be asked again', async () => {
  await reader.page.route(url, (route) => route.abort(), { times: 1 });
  await giveSaved();
  await get();
  await reader.page.getByText('could not be reached').waitFor();
  await serve(texts.unchanged);
  await get();
  await reader.page.getByRole('button', { name: `Remove ${url}` }).waitFor();
});

test.each([
  [undefined, 'links to no text'],
  ['1.txt', 'links to its text, 1.txt, and does not say at which https address that is'],
  ['http://news.example/1.txt', 'does not say at which https address'],
  ['https://127.0.0.1/1.txt', 'does not say at which https address'],
])('of a page that links to %s the text is to be given', async (href, words) => {
  await reader.give({ files: [saved(href)] });
  const main = reader.page.locator('main');
  expect(await main.textContent()).toContain(words);
  expect(await main.textContent()).toContain('Choose or drop the text here too');
  expect(await reader.page.getByRole('button', { name: /^Get the text/ }).count()).toBe(0);
});

test('a link is followed from what the page calls its address', async () => {
  await serve(texts.unchanged);
  const canonical = '<link rel="canonical" href="https://news.example/bridge/">';
  await reader.give({ files: [saved('../texts/1.txt', '', canonical)] });
  await get();
  await reader.page.getByRole('button', { name: `Remove ${url}` }).waitFor();
});

test('what comes after the reader has gone on is not taken', async () => {
  let answer = () => {};
  const isAsked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await reader.page.route(url, async (route) => {
    answer();
    await isReleased;
    await route.fulfill({ body: 'Late.', headers: allowed });
  });
  await giveSaved();
  await get();
  await isAsked;
  await reader.give({ files: [textFile(texts.unchanged)] });
  release();
  await reader.page.waitForResponse(url).catch(() => {});
  expect((await reader.check()).title).toMatch(/^Its text is unchanged since/);
});
