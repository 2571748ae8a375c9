import { formatReference } from 'imprimatur-verifier';
import { expect, test } from 'vitest';
import { serve } from '../../../client/test/fake-api.ts';
import { quoteTreeOf } from '../../../verifier/src/text/quote-tree.ts';
import { fileOf, signedEntry } from '../../../verifier/test/publisher/entries.ts';
import { referenceTo } from '../../../verifier/test/quote/quotable.ts';
import { chainWith, directoryWith, runAlone } from '../run.ts';

const article = 'The mayor said that the bridge is safe.\n';
const { authorityAddress } = referenceTo(article);
const proofFile = (domain: string) =>
  JSON.stringify({
    ...{ version: 1, reference: referenceTo(article), content: {}, publisher: { domain } },
    attested: { time: '2027-01-15T08:00:36Z' },
  });

/** Verifies `article.md` where a domain serves this file. */
async function verify(
  argv: readonly string[],
  served: string | undefined,
  files: Record<string, string> = {},
) {
  const { rpcUrl } = await chainWith(article, quoteTreeOf(article).root);
  const asked: string[] = [];
  const port = await serve((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(served === undefined ? 404 : 200).end(served);
  });
  const at = directoryWith({ 'article.md': article, ...files });
  const given = argv.map((one) => (/\.(md|json)$/.test(one) ? at(one) : one));
  const result = await runAlone(['verify', ...given, '--rpc', rpcUrl], {
    variables: { IMPRIMATUR_DOMAIN_ORIGIN: `http://127.0.0.1:${port}` },
    isColored: true,
  });
  return { ...result, asked };
}

const reference = formatReference(referenceTo(article));
const named = ['article.md', '--reference', reference, '--domain', 'example.org'];
const [green, bold, red] = ['\u001b[32m', '\u001b[1m', '\u001b[31m'];

test('names the domain that vouches, in green', async () => {
  const { exitCode, out } = await verify(named, fileOf(await signedEntry('example.org', 1)));
  expect(exitCode).toBe(0);
  expect(out).toContain(
    `${green}verified: this is the attested text, to the last byte; example.org vouches for the authority`,
  );
  expect(out).toMatch(/^publisher +example\.org$/m);
  expect(out).toContain(`example.org and ${authorityAddress} name each other on chain 8453`);
});

test.each([
  ['names another authority', async () => fileOf(await signedEntry('example.org', 2))],
  ['has no file', async () => undefined],
])('says that nobody vouches, without green, where the domain %s', async (_, file) => {
  const { exitCode, out } = await verify(named, await file());
  expect(exitCode).toBe(0);
  expect(out).toContain(
    `${bold}verified: this is the attested text, to the last byte; nobody vouches for the authority`,
  );
  expect(out).toContain(`example.org does not vouch for ${authorityAddress}: `);
  expect(out).not.toMatch(/^publisher/m);
  expect(out).not.toContain(green);
});

test('a domain that vouches makes nothing green where no text was compared, or another one', async () => {
  const served = fileOf(await signedEntry('example.org', 1));
  const { out } = await verify([reference, '--domain', 'example.org'], served);
  expect(out).toMatch(
    /^.{4}verified: it was attested, and stands; no text was compared with it; example\.org vouches/,
  );
  expect(out.startsWith(bold)).toBe(true);
  const altered = await verify(named, served, { 'article.md': `${article}Not.` });
  expect(altered.exitCode).toBe(1);
  expect(altered.out.startsWith(`${red}altered: `)).toBe(true);
});

test('takes the domain from a proof file, and asks none with --no-domain', async () => {
  const file = fileOf(await signedEntry('news.example.org', 1));
  const proof = { 'article.proof.json': proofFile('news.example.org') };
  const hinted = await verify(['article.md'], file, proof);
  expect(hinted.out).toMatch(/^publisher +news\.example\.org$/m);
  const other = await verify(['article.md', '--domain', 'example.org'], file, proof);
  expect(other.out).toContain('nobody vouches for the authority');
  const alone = await verify(['article.md', '--no-domain'], file, proof);
  expect(alone.out).toContain('who the authority is, nobody says here');
  expect([hinted.asked.length, other.asked.length, alone.asked.length]).toEqual([1, 1, 0]);
  // Of one that the reader has named himself he need not be told.
  expect(hinted.error).toContain('asking news.example.org whether it vouches for the authority; --no-domain');
  expect([other.error, alone.error]).toEqual(['', '']);
});

test('takes the domain from the canonical address of a page', async () => {
  const identifier = JSON.stringify({ identifier: { propertyID: 'attestation', value: reference } });
  const page = `<link rel="canonical" href="https://example.org/1"><script type="application/ld+json">${identifier}</script>`;
  const file = fileOf(await signedEntry('example.org', 1));
  const at = directoryWith({ 'page.html': page });
  const { out } = await verify([at('page.html'), '--json'], file);
  const { outcome, publisher } = JSON.parse(out);
  expect(outcome).toBe('unknown');
  expect(publisher).toMatchObject({ domain: 'example.org', outcome: 'vouches' });
});

test('a proof file that names no domain, but a host of the network, leads to no question', async () => {
  for (const hint of ['localhost', '10.0.0.1', '-']) {
    const { exitCode, asked } = await verify(['article.md'], '', { 'article.proof.json': proofFile(hint) });
    expect({ exitCode, asked }).toEqual({ exitCode: 0, asked: [] });
  }
});

test('asks no domain where nothing is attested', async () => {
  const elsewhere = reference.replace('/1/', '/2/');
  const { exitCode, asked } = await verify([elsewhere, '--domain', 'example.org'], '');
  expect({ exitCode, asked }).toEqual({ exitCode: 1, asked: [] });
});

test('prints the finding for scripts, with what is to be known of the name', async () => {
  const name = 'bücher.example';
  const file = fileOf(await signedEntry(name, 1));
  const argv = ['article.md', '--reference', reference, '--domain', name];
  const { publisher } = JSON.parse((await verify([...argv, '--json'], file)).out);
  expect(publisher).toMatchObject({
    ...{ outcome: 'vouches', domain: 'xn--bcher-kva.example', unicodeDomain: 'bücher.example' },
    notices: [
      expect.stringContaining('IMPRIMATUR_DOMAIN_ORIGIN'),
      expect.stringContaining('look like others'),
    ],
  });
  expect((await verify(argv, file)).out).toMatch(/^publisher +xn--bcher-kva\.example \(bücher\.example\)$/m);
});

test('exits 2 for what is no domain, and for a domain offline', async () => {
  const wrong = await verify([reference, '--domain', 'https://example.org'], '');
  expect(wrong).toMatchObject({ exitCode: 2, out: '', asked: [] });
  expect(wrong.error).toContain('must be a name such as example.org');
  const argv = ['verify', reference, '--offline', '--block-hash', '0x12', '--domain', 'example.org'];
  expect((await runAlone(argv)).error).toContain('--offline asks nobody');
});
