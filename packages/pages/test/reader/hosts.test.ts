import { expect, test } from 'vitest';
import { fileOf as authoritiesFile, signedEntry } from '../../../verifier/test/publisher/entries.ts';
import { fileOf, linkingPage, proofFile, textFile, texts } from './attested.ts';
import { attested, reader, setUpReader } from './reader-page.ts';

const domain = 'news.example';
const authorities = `https://${domain}/.well-known/attestation-authorities.json`;
const textUrl = `https://${domain}/texts/1.txt`;
const allowed = { 'access-control-allow-origin': '*', 'content-type': 'text/plain; charset=utf-8' };

setUpReader();

/** An entry of the author, or of another account, for the domain's file. */
const entry = (account = 1) =>
  signedEntry(domain, account, { chainIds: [31_337], since: '2020-01-01T00:00:00Z' });

/** Serves a response for a URL in the browser. */
const serve = (
  url: string,
  body: string,
  status = 200,
  headers: Readonly<Record<string, string>> = allowed,
) => reader.page.route(url, (route) => route.fulfill({ status, body, headers }));

/** Requests to other hosts. */
const asked = () => reader.opened.requested.filter((url) => url.startsWith('https:'));
const verdict = () => reader.page.locator('.verdict');

/** Submits the domain in the form below the verdict. */
async function checkDomain(name = domain): Promise<void> {
  await reader.page.getByLabel('Domain of the publisher').fill(name);
  await reader.page.getByRole('button', { name: 'Check the domain' }).click();
}

async function checkAndAsk(text: string = texts.unchanged, name = domain): Promise<void> {
  await reader.check({ text, reference: attested.unchanged, rpc: attested.rpcUrl });
  await checkDomain(name);
}

test('a domain that vouches for the authority is named in green', async () => {
  await serve(authorities, authoritiesFile(await entry()));
  await checkAndAsk();
  await reader.page.locator('.verdict.good').waitFor();
  expect(await verdict().textContent()).toMatch(/^Unchanged since .* Signed by news\.example/);
  expect(await reader.facts()).toContain('news.example vouches for this address.');
  expect(await reader.facts()).toContain('news.example was asked only for its authorities');
  expect(await reader.page.getByRole('status').textContent()).toContain('Signed by news.example');
});

test('an altered text stays altered, even if a domain vouches', async () => {
  await serve(authorities, authoritiesFile(await entry()));
  await checkAndAsk('Another text.');
  await reader.page.getByText('news.example vouches for this address.').waitFor();
  expect(await verdict().textContent()).toContain('Not the attested text');
  expect(await reader.page.locator('.good').count()).toBe(0);
});

const location = 'https://elsewhere.example/authorities.json';

test.each([
  ['has no file', 404, allowed, 'has no authorities file', 'news.example does not vouch for that address'],
  ['has a fault', 500, allowed, 'returned HTTP 500', 'It is unknown whether news.example vouches'],
  [
    'redirects',
    302,
    { ...allowed, location },
    'was redirected, and this page',
    'It is unknown whether news.example vouches',
  ],
])(
  'a domain that %s does not vouch, and no other host is contacted',
  async (_, status, headers, answer, words) => {
    await serve(authorities, '', status, headers);
    await checkAndAsk();
    await reader.page.getByText(answer).waitFor();
    expect(await verdict().textContent()).toContain('Signer unknown');
    expect(await verdict().textContent()).toContain(words);
    expect(await reader.page.locator('.good').count()).toBe(0);
    expect(asked()).toEqual([authorities]);
  },
);

test('no domain is contacted before the reader requests it, even if the proof file names one', async () => {
  const { proof } = await proofFile(attested, attested.unchanged, texts.unchanged);
  const file = fileOf('article.proof.json', JSON.stringify({ ...proof, publisher: { domain } }));
  await reader.check({ files: [textFile(texts.unchanged), file], rpc: attested.rpcUrl });
  expect(await reader.page.getByLabel('Domain of the publisher').inputValue()).toBe(domain);
  expect(asked()).toEqual([]);
  await checkDomain('https://news.example/');
  await reader.page.getByText('Enter a domain name').waitFor();
  expect(asked()).toEqual([]);
});

test('an unexpected error during a request is shown, and the reader can repeat it', async () => {
  await serve(authorities, authoritiesFile(await entry()));
  await reader.page.evaluate(() => {
    Date.parse = () => {
      throw new RangeError('no such time');
    };
  });
  await checkAndAsk();
  await reader.page.getByText('This page failed, which says nothing about the text: no such time').waitFor();
  expect(await reader.page.getByRole('button', { name: 'Check the domain' }).isEnabled()).toBe(true);
});

const saved = (href: string | undefined, shown: string = texts.unchanged) =>
  linkingPage(attested.unchanged, { href, shown });

const getButton = () => reader.page.getByRole('button', { name: 'Get the text from news.example' });
const isTaken = () => reader.page.getByRole('button', { name: `Remove ${textUrl}` }).waitFor();

async function giveSavedAndGet(): Promise<void> {
  await reader.give({ files: [saved(textUrl)], rpc: attested.rpcUrl });
  await getButton().click();
}

test('the text of a page is fetched when the reader requests it, after the page says what the host learns', async () => {
  let headers: Record<string, string> = {};
  await reader.page.route(textUrl, (route) => {
    headers = route.request().headers();
    return route.fulfill({ body: texts.unchanged, headers: allowed });
  });
  await reader.give({ files: [saved(textUrl)], rpc: attested.rpcUrl });
  expect(await reader.page.locator('main').textContent()).toContain(
    `news.example learns your IP address and that you request ${textUrl}, but nothing else`,
  );
  expect(asked()).toEqual([]);
  await getButton().click();
  await isTaken();
  expect(await getButton().count()).toBe(0);
  expect(asked()).toEqual([textUrl]);
  expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['cookie', 'referer']));
  expect((await reader.check()).title).toMatch(/^Its text is unchanged since/);
  const facts = await reader.facts();
  for (const words of [
    `Input: saved.html, ${textUrl}.`,
    'The verdict applies to the text',
    'The words of the text are in the page’s source, in their order.',
    'news.example returned the text that the page links to',
  ])
    expect(facts).toContain(words);
  await reader.page.getByText('Show the checked text').click();
  expect(await reader.page.locator('pre').textContent()).toBe(texts.unchanged);
  expect(reader.opened.consoleMessages).toEqual([]);
});

test('the verdict of a page without its text offers to fetch the text, and then checks again', async () => {
  await serve(textUrl, texts.unchanged);
  const { title } = await reader.check({ files: [saved(textUrl, 'Other words.')], rpc: attested.rpcUrl });
  expect(title).toMatch(/^Unknown/);
  expect(asked()).toEqual([]);
  await getButton().click();
  await reader.page.getByText('Unchanged since').first().waitFor();
  expect(await reader.facts()).toContain('does not have the exact words of the text, from paragraph 1');
});

test('a vouching domain does not turn a page green, because its words may have been changed', async () => {
  await serve(authorities, authoritiesFile(await entry()));
  await reader.check({ files: [saved(textUrl), textFile(texts.unchanged)], rpc: attested.rpcUrl });
  await checkDomain();
  await reader.page.getByText('news.example vouches for this address.').waitFor();
  expect(await reader.page.locator('.verdict.fair').textContent()).toContain('Signed by news.example');
  expect(await reader.page.locator('.good').count()).toBe(0);
});

test.each<[string, string, Parameters<typeof serve> extends [string, ...infer Answer] ? Answer : never]>([
  [
    'lets no page read it',
    'does not allow other pages to read it',
    [texts.unchanged, 200, { 'access-control-allow-origin': 'https://news.example' }],
  ],
  ['has none', 'returned HTTP 404', ['', 404]],
  ['has a web page', 'is a web page, not a text', ['<p>', 200, { ...allowed, 'content-type': 'text/html' }]],
  ['has one that is too long', 'is longer than 1 MiB', ['a'.repeat(1_048_577)]],
])('if the host %s, the page says how to continue', async (_, words, answer) => {
  await serve(textUrl, ...answer);
  await giveSavedAndGet();
  const problem = reader.page.getByRole('alert').filter({ hasText: 'The text' });
  await problem.getByText(words).waitFor();
  expect(await problem.textContent()).toContain(
    'This does not mean that the text is wrong. Open it, save it, and add',
  );
  expect(await problem.getByRole('link').getAttribute('href')).toBe(textUrl);
  expect(asked()).toEqual([textUrl]);
  await reader.give({ files: [textFile(texts.unchanged)] });
  expect((await reader.check()).title).toMatch(/^Its text is unchanged since/);
});

test.each([
  [undefined, 'does not link to a text'],
  ['1.txt', 'links to its text as 1.txt, which has no https URL'],
])('a page that links to %s requires the text', async (href, words) => {
  await reader.give({ files: [saved(href)] });
  const main = reader.page.locator('main');
  expect(await main.textContent()).toContain(words);
  expect(await main.textContent()).toContain('Add the text as a file, too');
  expect(await reader.page.getByRole('button', { name: /^Get the text/ }).count()).toBe(0);
});

test('a page of more than 10 MB is refused', async () => {
  const { name, buffer } = saved(textUrl);
  const large = fileOf(name, Buffer.concat([buffer, Buffer.alloc(10_000_000, 'a')]));
  const { summary } = await reader.check({ files: [large], rpc: attested.rpcUrl });
  expect(summary).toContain('saved.html is larger than 10 MB');
  expect(await reader.page.getByText('The text of the page').count()).toBe(0);
});

test('an answer that arrives after the input changed is dropped', async () => {
  const [isAsked, isReleased] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await reader.page.route(textUrl, async (route) => {
    isAsked.resolve();
    await isReleased.promise;
    await route.fulfill({ body: 'Late.', headers: allowed });
  });
  await giveSavedAndGet();
  await isAsked.promise;
  await reader.give({ files: [textFile(texts.unchanged)] });
  isReleased.resolve();
  await reader.page.waitForResponse(textUrl).catch(() => {});
  expect((await reader.check()).title).toMatch(/^Its text is unchanged since/);
});
