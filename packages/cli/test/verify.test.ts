import { readFileSync } from 'node:fs';
import { AttestedText, formatReference } from 'imprimatur-verifier';
import { sha256, toHex } from 'viem';
import { expect, it } from 'vitest';
import { quoteTreeOf } from '../../verifier/src/text/quote-tree.ts';
import { referenceTo } from '../../verifier/test/quote/quotable.ts';
import { chainWith, directoryWith, runAlone } from './run.ts';

const article = 'The mayor said that the bridge is safe.\n';
const reference = formatReference(referenceTo(article));
const { root } = quoteTreeOf(article);
const verify = (argv: readonly string[], more: Parameters<typeof runAlone>[1] = {}) =>
  runAlone(['verify', ...argv], more);

const proofFile = JSON.stringify({
  version: 1,
  reference: referenceTo(article),
  content: {},
  attested: { time: '2027-01-15T08:00:36Z' },
});

const page = (...references: string[]) =>
  references
    .map((value) =>
      JSON.stringify({ identifier: { '@type': 'PropertyValue', propertyID: 'attestation', value } }),
    )
    .map((json) => `<script type="application/ld+json">${json}</script>`)
    .join('');

const files = () =>
  directoryWith({
    'article.md': article,
    'crlf.md': article.replace('\n', '\r\n'),
    'beside.md': article,
    'beside.proof.json': proofFile,
    'quote.json': JSON.stringify(
      new AttestedText(referenceTo(article), article, root).quote('the bridge is safe'),
    ),
    'forged.json': JSON.stringify(
      new AttestedText(referenceTo(`Not. ${article}`), `Not. ${article}`).quote('Not.'),
    ),
    'broken.json': '{"ipfsCid":1}',
    'page.html': page(reference),
    'two.html': page(reference, reference.replace('/1/', '/2/')),
    'none.html': '<p>Nothing.</p>',
    'none.json': 'It was attested.',
  });

it.each([
  [
    'a text with its reference',
    ['article.md', '--reference', reference],
    'this is the attested text, to the last byte',
  ],
  ['a text with the proof file beside it', ['beside.md'], 'this is the attested text, to the last byte'],
  [
    'a text with a proof file elsewhere',
    ['article.md', '--proof', 'beside.proof.json'],
    'this is the attested text',
  ],
  ['a proof file', ['beside.proof.json'], 'it was attested, and stands; no text was compared with it'],
  ['a reference', [reference], 'it was attested, and stands; no text was compared with it'],
  ['a quote proof', ['quote.json'], 'the authority stated this, and it stands'],
])('exits 0 for %s', async (_, argv, words) => {
  const { rpcUrl } = await chainWith(article, root);
  const at = files();
  const given = argv.map((one) => (/\.(md|json|html)$/.test(one) ? at(one) : one));
  const { exitCode, out, error } = await verify([...given, '--rpc', rpcUrl]);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
  expect(out.split('\n')[0]).toContain(`verified: ${words}`);
  expect(out).toContain(`authority  ${referenceTo(article).authorityAddress}`);
  expect(out).toMatch(/^attested +2027-/m);
});

it.each(['article.html', 'article.json'])('finds the proof file beside an attested %s', async (name) => {
  const { rpcUrl } = await chainWith(article, root);
  const at = (text: string) => directoryWith({ [name]: text, 'article.proof.json': proofFile })(name);
  const attested = await verify([at(article), '--rpc', rpcUrl]);
  expect(attested).toMatchObject({ exitCode: 0, out: expect.stringContaining('to the last byte') });
  const altered = await verify([at(`${article}\n`), '--rpc', rpcUrl]);
  expect(altered).toMatchObject({ exitCode: 1, out: expect.stringMatching(/^altered: /) });
});

it.each([
  ['page', 'a.html', page(reference), 2, /^unknown: The page names an attestation that stands/],
  [
    'quote',
    'a.json',
    JSON.stringify(new AttestedText(referenceTo(article), article, root).quote('is safe')),
    0,
    /^verified: /,
  ],
  ['proof', 'a.json', proofFile, 0, /^verified: /],
])(
  'verifies a %s that names its attestation beside a proof file that is damaged, of a later version or of a text',
  async (_, name, content, exitCode, words) => {
    const { rpcUrl } = await chainWith(article, root);
    const later = proofFile.replace('"version":1', '"version":2');
    for (const beside of ['{', later, proofFile]) {
      const at = directoryWith({ [name]: content, 'a.proof.json': beside });
      const verdict = await verify([at(name), '--rpc', rpcUrl]);
      expect(verdict).toMatchObject({ exitCode, out: expect.stringMatching(words), error: '' });
    }
    // What names none is by that proof file alone, and a proof that is damaged is no article.
    const at = directoryWith({
      [name]: article,
      'a.proof.json': '{',
      'b.json': later,
      'b.proof.json': proofFile,
    });
    for (const [given, complaint] of [
      [name, 'not JSON'],
      ['b.json', 'version must be 1'],
    ] as const)
      expect(await verify([at(given), '--rpc', rpcUrl])).toMatchObject({
        ...{ exitCode: 2, error: expect.stringContaining(complaint) },
      });
  },
);

it('says of a page without marks that it was taken for the text of the proof file beside it', async () => {
  const { chain, rpcUrl } = await chainWith(article, root);
  const at = directoryWith({
    ...{ 'a.html': `<p>${article}</p>`, 'a.md': `${article}\n`, 'a.txt': article, 'a.proof.json': proofFile },
  });
  const taken = `altered: ${at('a.html')} names no attestation and was taken for the text of ${at('a.proof.json')}. `;
  const ofPage = await verify([at('a.html'), '--rpc', rpcUrl]);
  expect(ofPage).toMatchObject({ exitCode: 1, out: expect.stringContaining(taken) });
  const named = await verify([at('a.html'), '--proof', at('a.proof.json'), '--rpc', rpcUrl]);
  for (const { out } of [named, await verify([at('a.md'), '--rpc', rpcUrl])]) {
    expect(out).toMatch(/^altered: /);
    expect(out).not.toContain('was taken');
  }
  chain.change(1, { revokedAt: 1_800_000_100 });
  const { out } = await verify([at('a.html'), '--rpc', rpcUrl]);
  expect(out.split('\n')[0]).toMatch(/ was taken for .*; it was withdrawn since$/);
});

it('takes the text from standard input', async () => {
  const { rpcUrl } = await chainWith(article, root);
  const argv = ['-', '--reference', reference, '--rpc', rpcUrl];
  const readInput = async () => new TextEncoder().encode(article);
  expect((await verify(argv, { readInput })).out).toContain('to the last byte');
});

it('says what was quoted, and that nothing ties it to the CID', async () => {
  const { rpcUrl } = await chainWith(article, root);
  const { out } = await verify([files()('quote.json'), '--rpc', rpcUrl]);
  expect(out).toMatch(/^quoted +"the bridge is safe"$/m);
  expect(out).toContain('only that text shows');
});

it('exits 3 for a superseded text, and names the newest correction', async () => {
  const { chain, rpcUrl } = await chainWith(article, root);
  const correction = 'The bridge was not safe.\n';
  const { authorityAddress: authority } = referenceTo(article);
  chain.attest({ digest: sha256(toHex(correction)), authority });
  chain.change(1, { child: sha256(toHex(correction)) });
  const { exitCode, out } = await verify([files()('beside.md'), '--rpc', rpcUrl]);
  expect(exitCode).toBe(3);
  expect(out).toMatch(/^superseded: /);
  expect(out).toContain(referenceTo(correction).contentCid);
  const { out: json } = await verify([files()('beside.md'), '--rpc', rpcUrl, '--json']);
  expect(JSON.parse(json)).toMatchObject({ outcome: 'superseded', verified: true });
  // What a page says of it is not known, as of one that stands.
  const ofPage = await verify([files()('page.html'), '--rpc', rpcUrl, '--json']);
  expect({ ...ofPage, out: JSON.parse(ofPage.out) }).toMatchObject({
    exitCode: 2,
    out: { outcome: 'unknown', verified: false, reason: expect.stringContaining('a newer version') },
  });
});

it('looks for corrections in other registries too, and says where it did not find one', async () => {
  const { chain, rpcUrl } = await chainWith(article, root);
  chain.change(1, { child: sha256(toHex('Corrected elsewhere.\n')) });
  const argv = [files()('beside.md'), '--rpc', rpcUrl];
  const { exitCode, out } = await verify([...argv, '--other-registry', `0x${'5'.repeat(40)}`]);
  expect(exitCode).toBe(3);
  expect(out).toContain('which is not attested in a registry that was asked');
  expect(out).toContain(`At 0x${'5'.repeat(40)} is no registry that is known here`);
});

it('exits 1 for a text that is not the attested one, and says that what was attested was withdrawn since', async () => {
  const { chain, rpcUrl } = await chainWith(article, root);
  chain.change(1, { revokedAt: 1_800_000_100 });
  const { exitCode, out } = await verify([files()('crlf.md'), '--reference', reference, '--rpc', rpcUrl]);
  expect(exitCode).toBe(1);
  expect(out.split('\n')[0]).toMatch(/^altered: .*line.*; it was withdrawn since$/);
});

it('exits 1 for a text with another quote root than the registry has, corrected or not', async () => {
  const { chain, rpcUrl } = await chainWith(article, sha256(toHex('another')));
  const argv = [files()('beside.md'), '--rpc', rpcUrl];
  expect((await verify(argv)).exitCode).toBe(1);
  chain.change(1, { child: sha256(toHex('A correction.')) });
  const { exitCode, out } = await verify(argv);
  expect(exitCode).toBe(1);
  expect(out).toMatch(/^superseded: /);
});

it.each([
  ['a withdrawn attestation', 'beside.md', /^revoked: /],
  ['a forged quote', 'forged.json', /^(altered|not found): /],
  ['what is no quote proof', 'broken.json', /^not verified: /],
])('exits 1 for %s', async (_, name, words) => {
  const { chain, rpcUrl } = await chainWith(article, root);
  if (name === 'beside.md') chain.change(1, { revokedAt: 1_800_000_100 });
  const { exitCode, out } = await verify([files()(name), '--rpc', rpcUrl]);
  expect(exitCode).toBe(1);
  expect(out).toMatch(words);
});

it('exits 2 where nobody answers, and does not call the text false', async () => {
  const { exitCode, out } = await verify([files()('beside.md'), '--rpc', 'http://127.0.0.1:1']);
  expect(exitCode).toBe(2);
  expect(out).toMatch(/^unknown: /);
});

it.each([
  [['article.md'], 'say which attestation'],
  [['two.html'], 'names several attestations, verify one of them'],
  [['none.html'], 'names no attestation'],
  [['article.md', '--reference', 'eip155:1:0x1/1/0x1/bafk'], 'registry'],
  [[reference, '--reference', reference.replace('/1/', '/2/')], 'neither --reference nor --proof'],
  [[reference, '--proof', 'beside.proof.json'], 'neither --reference nor --proof'],
  [['beside.md', '--offline'], '--offline and --block-hash go together'],
  [['beside.md', '--rpc', 'ftp://x'], 'must be an http or https URL'],
  [[reference.replace('8453', '31337')], 'no RPC provider of chain 31337 is known here'],
  [['nowhere.md'], 'there is no such file'],
  [['none.json', '--offline', '--block-hash', `0x${'1'.repeat(64)}`], 'not JSON'],
])('exits 2 for %j', async (argv, words) => {
  const at = files();
  const given = argv.map((one) => (/\.(md|json|html)$/.test(one) ? at(one) : one));
  const { exitCode, out, error } = await verify(given);
  expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
  expect(error).toContain(words);
});

it('checks a proof file offline, against a block hash', async () => {
  const [{ text, blockHash }] = JSON.parse(readFileSync('test/vectors/proofs/cases.json', 'utf8'));
  const proof = readFileSync('test/vectors/proofs/alone.proof.json', 'utf8');
  const at = directoryWith({ 'a.md': text, 'a.proof.json': proof });
  const { exitCode, out } = await verify([at('a.md'), '--offline', '--block-hash', blockHash]);
  expect(exitCode).toBe(0);
  expect(out).toContain(`That holds if ${blockHash} is block`);
  expect(out).toContain('Not checked offline: attested.');
  const other = await verify([at('a.md'), '--offline', '--block-hash', `0x${'00'.repeat(32)}`]);
  expect(other.exitCode).toBe(2);
});

it('prints one JSON object for scripts, and colours only where they show', async () => {
  const { rpcUrl } = await chainWith(article, root);
  const argv = [files()('beside.md'), '--rpc', rpcUrl];
  const { out } = await verify([...argv, '--json']);
  expect(JSON.parse(out)).toMatchObject({
    verified: true,
    outcome: 'verified',
    reference: referenceTo(article),
  });
  expect(out).not.toContain('bridge');
  expect((await verify(argv)).out).not.toContain('\u001b');
  expect((await verify(argv, { isColored: true })).out).toContain('\u001b[1mverified');
});

it('never calls verified what a false proof file names', async () => {
  const { rpcUrl } = await chainWith(article, root);
  const wrong = { ...JSON.parse(proofFile), attested: { time: '2027-01-15T08:00:35Z' } };
  const at = directoryWith({ 'a.md': article, 'a.proof.json': JSON.stringify(wrong) });
  const { exitCode, out } = await verify([at('a.md'), '--rpc', rpcUrl]);
  expect(exitCode).toBe(2);
  expect(out).toContain('unknown: The proof file is false: attested.time is not what the chain shows.');
});
