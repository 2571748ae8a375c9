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

/** URLs of requests to other hosts. */
const otherUrls = () => reader.opened.requested.filter((url) => url.startsWith('https:'));
const verdict = () => reader.page.locator('.verdict');

/** Submits the domain in the form below the verdict. */
async function checkDomain(name = domain): Promise<void> {
  await reader.page.getByLabel('Domain of the publisher').fill(name);
  await reader.page.getByRole('button', { name: 'Check the domain' }).click();
}

async function checkBoth(text: string = texts.unchanged, name = domain): Promise<void> {
  await reader.check({ text, reference: attested.unchanged, rpc: attested.rpcUrl });
  await checkDomain(name);
}

test('a domain that vouches for the authority is named in green', async () => {
  await serve(authorities, authoritiesFile(await entry()));
  await checkBoth();
  await reader.page.locator('.verdict.good').waitFor();
  expect(await verdict().textContent()).toMatch(/^Unchanged since .* Signed by news\.example/);
  expect(await reader.facts()).toContain('news.example vouches for this address.');
  expect(await reader.facts()).toContain('news.example was asked only for its authorities');
  expect(await reader.page.getByRole('status').textContent()).toContain('Signed by news.example');
});

test('an altered text stays altered, even if a domain vouches', async () => {
  await serve(authorities, authoritiesFile(await entry()));
  await checkBoth('Another text.');
  await reader.page.getByText('news.example vouches for this address.').waitFor();
  expect(await verdict().textContent()).toContain('Not the attested text');
  expect(await reader.page.locator('.good').count()).toBe(0);
});

const location = 'https://elsewhere.example/authorities.json';

test.each([
  ['has no file', 404, allowed, 'has no authorities file', 'news.example does not vouch for that address'],
  ['fails', 500, allowed, 'returned HTTP 500', 'It is unknown whether news.example vouches'],
  [
    'redirects',
    302,
    { ...allowed, location },
    'was redirected, and this page',
    'It is unknown whether news.example vouches',
  ],
])(
  'if a domain %s, the signer is unknown, and no other host is contacted',
  async (_, status, headers, answer, text) => {
    await serve(authorities, '', status, headers);
    await checkBoth();
    await reader.page.getByText(answer).waitFor();
    expect(await verdict().textContent()).toContain('Signer unknown');
    expect(await verdict().textContent()).toContain(text);
    expect(await reader.page.locator('.good').count()).toBe(0);
    expect(otherUrls()).toEqual([authorities]);
  },
);

test('no domain is contacted before the reader requests it, even if the proof file names one', async () => {
  const { proof } = await proofFile(attested, attested.unchanged, texts.unchanged);
  const file = fileOf('article.proof.json', JSON.stringify({ ...proof, publisher: { domain } }));
  await reader.check({ files: [textFile(texts.unchanged), file], rpc: attested.rpcUrl });
  expect(await reader.page.getByLabel('Domain of the publisher').inputValue()).toBe(domain);
  expect(otherUrls()).toEqual([]);
  await checkDomain('https://news.example/');
  await reader.page.getByText('Enter a domain name').waitFor();
  expect(otherUrls()).toEqual([]);
});

test('an unexpected error during a request is shown, and the reader can repeat the request', async () => {
  await serve(authorities, authoritiesFile(await entry()));
  await reader.page.evaluate(() => {
    Date.parse = () => {
      throw new RangeError('no such time');
    };
  });
  await checkBoth();
  await reader.page.getByText('This page failed, which says nothing about the text: no such time').waitFor();
  expect(await reader.page.getByRole('button', { name: 'Check the domain' }).isEnabled()).toBe(true);
});

const saved = (href: string | undefined, shown: string = texts.unchanged) =>
  linkingPage(attested.unchanged, { href, shown });

const getButton = () => reader.page.getByRole('button', { name: 'Get the text from news.example' });
const waitForFile = () => reader.page.getByRole('button', { name: `Remove ${textUrl}` }).waitFor();

async function addPageAndFetch(): Promise<void> {
  await reader.enter({ files: [saved(textUrl)], rpc: attested.rpcUrl });
  await getButton().click();
}

test('the text of a page is fetched when the reader requests it, after the page states what the host learns', async () => {
  let headers: Record<string, string> = {};
  await reader.page.route(textUrl, (route) => {
    headers = route.request().headers();
    return route.fulfill({ body: texts.unchanged, headers: allowed });
  });
  await reader.enter({ files: [saved(textUrl)], rpc: attested.rpcUrl });
  expect(await reader.page.locator('main').textContent()).toContain(
    `news.example learns your IP address and that you request ${textUrl}, but nothing else`,
  );
  expect(otherUrls()).toEqual([]);
  await getButton().click();
  await waitForFile();
  expect(await getButton().count()).toBe(0);
  expect(otherUrls()).toEqual([textUrl]);
  expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['cookie', 'referer']));
  expect((await reader.check()).title).toMatch(/^Its text is unchanged since/);
  const facts = await reader.facts();
  for (const text of [
    `Input: saved.html, ${textUrl}.`,
    'The verdict applies to the text',
    'The words of the text are in the page’s source, in their order.',
    'news.example returned the text that the page links to',
  ])
    expect(facts).toContain(text);
  await reader.page.getByText('Show the checked text').click();
  expect(await reader.page.locator('pre').textContent()).toBe(texts.unchanged);
  expect(reader.opened.consoleMessages).toEqual([]);
});

test('an offline check with a fetched text lists only the host of the text', async () => {
  await serve(textUrl, texts.unchanged);
  const { file, proof } = await proofFile(attested, attested.unchanged, texts.unchanged);
  await reader.enter({ files: [saved(textUrl), file], blockHash: proof.storage?.block.hash ?? '' });
  await getButton().click();
  await waitForFile();
  expect((await reader.check()).title).toMatch(/^Its text is unchanged since/);
  const facts = await reader.facts();
  expect(facts).toContain('news.example returned the text that the page links to');
  expect(facts).not.toContain('A provider learned');
});

test('the verdict of a page without its text offers to fetch the text, and then checks again', async () => {
  await serve(textUrl, texts.unchanged);
  const { title } = await reader.check({ files: [saved(textUrl, 'Other words.')], rpc: attested.rpcUrl });
  expect(title).toMatch(/^Unknown/);
  expect(otherUrls()).toEqual([]);
  await getButton().click();
  await reader.page.getByText('Unchanged since').first().waitFor();
  expect(await reader.facts()).toContain('words of the text: the first difference is in paragraph 1');
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
    'does not let the page read the text',
    'does not allow other pages to read it',
    [texts.unchanged, 200, { 'access-control-allow-origin': 'https://news.example' }],
  ],
  ['has no text', 'returned HTTP 404', ['', 404]],
  ['has a web page', 'is a web page, not a text', ['<p>', 200, { ...allowed, 'content-type': 'text/html' }]],
  ['has a text that is too long', 'is longer than 1 MiB', ['a'.repeat(1_048_577)]],
])('if the host %s, the page explains how to continue', async (_, text, answer) => {
  await serve(textUrl, ...answer);
  await addPageAndFetch();
  const problem = reader.page.getByRole('alert').filter({ hasText: 'The text' });
  await problem.getByText(text).waitFor();
  expect(await problem.textContent()).toContain(
    'This does not mean that the text is wrong. Open it, save it, and add',
  );
  expect(await problem.getByRole('link').getAttribute('href')).toBe(textUrl);
  expect(otherUrls()).toEqual([textUrl]);
  await reader.enter({ files: [textFile(texts.unchanged)] });
  expect((await reader.check()).title).toMatch(/^Its text is unchanged since/);
});

test.each([
  ['without a link to a text', undefined, 'does not link to a text'],
  ['with a relative link', '1.txt', 'links to its text as 1.txt, which has no https URL that may be fetched'],
])('a page %s requires the text', async (_, href, text) => {
  await reader.enter({ files: [saved(href)] });
  const main = reader.page.locator('main');
  expect(await main.textContent()).toContain(text);
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
  const [requested, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await reader.page.route(textUrl, async (route) => {
    requested.resolve();
    await released.promise;
    await route.fulfill({ body: 'Late.', headers: allowed });
  });
  await addPageAndFetch();
  await requested.promise;
  await reader.enter({ files: [textFile(texts.unchanged)] });
  released.resolve();
  await reader.page.waitForResponse(textUrl).catch(() => {});
  expect((await reader.check()).title).toMatch(/^Its text is unchanged since/);
});
