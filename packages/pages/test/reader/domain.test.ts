import { expect, test } from 'vitest';
import { fileOf as authoritiesFile, signedEntry } from '../../../verifier/test/publisher/entries.ts';
import { fileOf, proofFile, textFile, texts } from './attested.ts';
import { attested, reader, setReaderScene } from './reader-scene.ts';

/** Of the author, whose account it is in `startAttested`. */
const authorIndex = 1;
const domain = 'news.example';
const fileUrl = `https://${domain}/.well-known/attestation-authorities.json`;
const allowed = { 'access-control-allow-origin': '*' };

setReaderScene();

const entry = () => signedEntry(domain, authorIndex, { chainIds: [31_337], since: '2020-01-01T00:00:00Z' });

/** The domain's server, as the browser meets it. */
const serve = (body: string, status = 200, headers: Record<string, string> = allowed) =>
  reader.page.route(fileUrl, (route) => route.fulfill({ status, body, headers }));

const verdict = () => reader.page.locator('.verdict');

/** Checks the text, then asks the domain. */
async function ask(name = domain, text: string = texts.unchanged): Promise<void> {
  await reader.check({ text, reference: attested.unchanged, rpc: attested.rpcUrl });
  await reader.page.getByLabel('Domain of the publisher').fill(name);
  await reader.page.getByRole('button', { name: 'Ask it' }).click();
}

test('a domain that vouches for the authority makes it green, and is named', async () => {
  await serve(authoritiesFile(await entry()));
  await ask();
  await reader.page.locator('.verdict.good').waitFor();
  expect(await verdict().textContent()).toMatch(/^Unchanged since .* Signed by news\.example/);
  expect(await reader.facts()).toContain('news.example vouches for it.');
  expect(await reader.facts()).toContain('news.example for its file of authorities');
  expect(await reader.page.getByRole('status').textContent()).toContain('Signed by news.example');
});

test('a text that is altered stays so, whoever vouches', async () => {
  await serve(authoritiesFile(await entry()));
  await ask(domain, 'Another text.');
  await reader.page.getByText('news.example vouches for it.').waitFor();
  expect(await verdict().textContent()).toContain('Not the attested text');
  expect(await reader.page.locator('.good').count()).toBe(0);
});

const others: readonly [name: string, file: () => Promise<string>, status: number, answer: string][] = [
  ['has no such file', async () => '', 404, 'has no file of authorities'],
  [
    'names another authority',
    async () => authoritiesFile(await signedEntry(domain, 2)),
    200,
    'does not name that authority',
  ],
  [
    'has not the signature',
    async () => authoritiesFile({ ...(await entry()), signature: (await signedEntry(domain, 2)).signature }),
    200,
    'has not signed',
  ],
  ['has something else there', async () => '<p>Welcome.</p>', 200, 'cannot be used'],
  ['has a file that does not end', async () => ' '.repeat(100_000), 200, 'is longer than'],
  ['has a fault', async () => '', 500, 'is answered with HTTP 500'],
];

test.each(others)('a domain that %s vouches for nobody', async (_, file, status, answer) => {
  await serve(await file(), status);
  await ask();
  await reader.page.getByText(answer).waitFor();
  expect(await verdict().textContent()).toContain('Signer unknown');
  expect(await reader.page.locator('.good').count()).toBe(0);
});

test('a domain that cannot be reached leaves it unknown', async () => {
  await reader.page.route(fileUrl, (route) => route.abort());
  await ask();
  await reader.page.getByText('could not be reached').waitFor();
  expect(await verdict().textContent()).toContain(
    'Whether news.example vouches for that address is not known',
  );
});

test.each([
  ['names', allowed, 'is at another address, to which this page does not go'],
  ['keeps from pages', {}, 'not known: its file of authorities'],
])('a host to which a domain redirects is not asked, where the domain %s it', async (_, headers, answer) => {
  await serve('', 302, { ...headers, location: 'https://elsewhere.example/authorities.json' });
  await ask();
  await reader.page.getByText(answer).waitFor();
  expect(await verdict().textContent()).toContain('Signer unknown');
  expect(reader.opened.requested.filter((url) => url.startsWith('https:'))).toEqual([fileUrl]);
});

test('no domain is asked before the reader does, even where the proof file names one', async () => {
  const { proof } = await proofFile(attested, attested.unchanged, texts.unchanged);
  const file = fileOf('article.proof.json', JSON.stringify({ ...proof, publisher: { domain } }));
  await reader.check({ files: [textFile(texts.unchanged), file], rpc: attested.rpcUrl });
  expect(await reader.page.getByLabel('Domain of the publisher').inputValue()).toBe(domain);
  expect(reader.opened.requested.filter((url) => url.startsWith('https:'))).toEqual([]);
  expect(await verdict().textContent()).toContain('Signer unknown');
});

test('a fault of the page while it asks is told, and the reader can ask again', async () => {
  await serve(authoritiesFile(await entry()));
  await reader.page.evaluate(() => {
    Date.parse = () => {
      throw new RangeError('no such time');
    };
  });
  await ask();
  await reader.page.getByText('This page failed, which says nothing of the text: no such time').waitFor();
  expect(await reader.page.getByRole('button', { name: 'Ask it' }).isEnabled()).toBe(true);
});

test('what is no domain is not asked', async () => {
  await ask('https://news.example/');
  await reader.page.getByText('Give the name of a domain').waitFor();
});
