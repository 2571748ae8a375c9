import { readFileSync } from 'node:fs';
import { AttestedText, formatReference } from 'imprimatur-verifier';
import { sha256, toHex } from 'viem';
import { describe, expect, it } from 'vitest';
import { quoteTreeOf } from '../../verifier/src/text/quote-tree.ts';
import type { FakeChain } from '../../verifier/test/fake-node.ts';
import { fileOf, signedEntry } from '../../verifier/test/publisher/entries.ts';
import { proofOf, referenceTo } from '../../verifier/test/quote/quotable.ts';
import { chainWith, directoryWith, expectError, runWithoutService, serveDomain } from './run.ts';

const article = 'The mayor says that the bridge is safe.\n';
const { authorityAddress } = referenceTo(article);
const reference = formatReference(referenceTo(article));
const { root } = quoteTreeOf(article);
const quote = JSON.stringify(
  new AttestedText(referenceTo(article), article, root).quote('the bridge is safe'),
);
const forged = new AttestedText(referenceTo(`Not. ${article}`), `Not. ${article}`).quote('Not.');

const proofFile = proofOf(article);
const laterProof = proofOf(article, { version: 2 });

const page = (...references: string[]) =>
  references
    .map((value) =>
      JSON.stringify({ identifier: { '@type': 'PropertyValue', propertyID: 'attestation', value } }),
    )
    .map((json) => `<script type="application/ld+json">${json}</script>`)
    .join('');

const files = {
  'article.md': article,
  'crlf.md': article.replace('\n', '\r\n'),
  'beside.md': article,
  'beside.proof.json': proofFile,
  'quote.json': quote,
  'forged.json': JSON.stringify(forged),
  'broken.json': '{"ipfsCid":1}',
  'page.html': page(reference),
  'two.html': page(reference, reference.replace('/1/', '/2/')),
  'none.html': '<p>Nothing.</p>',
  'none.json': 'It was attested.',
};

type Setup = Parameters<typeof runWithoutService>[1] & {
  readonly files?: Readonly<Record<string, string>>;
  readonly change?: (chain: FakeChain) => void;
  readonly quoteRoot?: typeof root;
};

/** Verifies files by name, on a chain with an attestation of the article. @param change applied to the chain first */
async function verify(
  argv: readonly string[],
  { files: extra = {}, change, quoteRoot = root, ...more }: Setup = {},
) {
  const { chain, rpcUrl } = await chainWith(article, quoteRoot);
  change?.(chain);
  const pathTo = directoryWith({ ...files, ...extra });
  const words = argv.map((one) => (/\.(md|json|html|txt)$/.test(one) ? pathTo(one) : one));
  const rpc = argv.includes('--rpc') || argv.includes('--offline') ? [] : ['--rpc', rpcUrl];
  const answer = await runWithoutService(['verify', ...words, ...rpc], more);
  return { ...answer, pathTo, first: answer.out.split('\n')[0] };
}

const revoke = (chain: FakeChain) => chain.change(1, { revokedAt: 1_800_000_100 });
const correct = (text: string) => (chain: FakeChain) => chain.change(1, { child: sha256(toHex(text)) });

it.each([
  ['a text with its reference', ['article.md', '--reference', reference], 'this is the attested text, byte'],
  ['a text with the proof file beside it', ['beside.md'], 'this is the attested text, byte for byte'],
  ['a text with --proof', ['article.md', '--proof', 'beside.proof.json'], 'this is the attested'],
  ['a proof file', ['beside.proof.json'], 'the attestation is valid; no text was compared with it'],
  ['a reference', [reference], 'the attestation is valid; no text was compared with it'],
  ['a quote proof', ['quote.json'], 'the authority attested this passage'],
])('verify exits with 0 for %s', async (name, argv, words) => {
  const { exitCode, out, error, first } = await verify(argv);
  expect({ exitCode, error }).toEqual({ exitCode: 0, error: '' });
  expect(first).toContain(`verified: ${words}`);
  expect(out).toContain(`authority  ${authorityAddress}`);
  expect(out).toMatch(/^attested +2027-/m);
  expect(/^quoted +"the bridge is safe"$/m.test(out)).toBe(name === 'a quote proof');
});

it.each(['a.html', 'a.json'])('verify finds the proof file beside an attested %s', async (name) => {
  const proof = { 'a.proof.json': proofFile };
  const attested = await verify([name], { files: { [name]: article, ...proof } });
  expect(attested).toMatchObject({ exitCode: 0, first: expect.stringContaining('byte for byte') });
  const altered = await verify([name], { files: { [name]: `${article}\n`, ...proof } });
  expect(altered).toMatchObject({ exitCode: 1, first: expect.stringMatching(/^altered: /) });
});

it.each([
  ['page', 'a.html', page(reference), 2, /^unknown: The page names a valid attestation/],
  ['quote', 'a.json', quote, 0, /^verified: /],
  ['proof', 'a.json', proofFile, 0, /^verified: /],
])(
  'verify accepts a %s that names its attestation, and ignores the proof file beside it',
  async (_, name, content, exitCode, words) => {
    for (const beside of ['{', laterProof, proofFile]) {
      const verdict = await verify([name], { files: { [name]: content, 'a.proof.json': beside } });
      expect(verdict).toMatchObject({ exitCode, first: expect.stringMatching(words), error: '' });
    }
  },
);

it.each([
  ['a text beside a damaged proof file', 'a.html', { 'a.html': article, 'a.proof.json': '{' }, 'not JSON'],
  [
    'a damaged proof file',
    'b.json',
    { 'b.json': laterProof, 'b.proof.json': proofFile },
    'version must be 1',
  ],
])('verify exits with 2 for %s', async (_, name, extra, message) => {
  await expectError(verify([name], { files: extra }), 2, message);
});

it('verify reports that a page without marks was checked as the text of the proof file beside it', async () => {
  const extra = { 'a.html': `<p>${article}</p>`, 'a.md': `${article}\n`, 'a.proof.json': proofFile };
  const { exitCode, first, pathTo } = await verify(['a.html'], { files: extra, change: revoke });
  const taken = `altered: ${pathTo('a.html')} names no attestation, so it was checked as the text of ${pathTo('a.proof.json')}. `;
  expect([exitCode, first]).toEqual([1, expect.stringContaining(taken)]);
  expect(first).toMatch(/[^.]; the attestation has been revoked since$/);
  for (const argv of [['a.html', '--proof', 'a.proof.json'], ['a.md']]) {
    const other = await verify(argv, { files: extra });
    expect(other.first).toMatch(/^altered: (?!.*was checked)/);
  }
});

it('verify reads the text from stdin', async () => {
  const readInput = async () => new TextEncoder().encode(article);
  expect((await verify(['-', '--reference', reference], { readInput })).out).toContain('byte for byte');
});

it('verify exits with 3 for a superseded text, and prints the newest correction', async () => {
  const correction = 'The bridge was not safe.\n';
  const change = (chain: FakeChain) => {
    chain.attest({ digest: sha256(toHex(correction)), authority: authorityAddress });
    correct(correction)(chain);
  };
  const { exitCode, out } = await verify(['beside.md'], { change });
  expect(exitCode).toBe(3);
  expect(out).toMatch(/^superseded: /);
  expect(out).toContain(referenceTo(correction).contentCid);
  const { out: json } = await verify(['beside.md', '--json'], { change });
  expect(JSON.parse(json)).toMatchObject({ outcome: 'superseded', verified: true });
  // As with a valid attestation, the page's own text is unknown.
  const ofPage = await verify(['page.html', '--json'], { change });
  expect(ofPage.exitCode).toBe(2);
  const reason = expect.stringContaining('a newer version');
  expect(JSON.parse(ofPage.out)).toMatchObject({ outcome: 'unknown', verified: false, reason });
});

it('--other-registry is searched for corrections, and the searched registries are reported', async () => {
  const argv = ['beside.md', '--other-registry', `0x${'5'.repeat(40)}`];
  const { exitCode, out } = await verify(argv, { change: correct('Corrected elsewhere.\n') });
  expect(exitCode).toBe(3);
  expect(out).toContain('is not attested in any registry that was searched');
  expect(out).toContain(`0x${'5'.repeat(40)} is not a known registry`);
});

it.each<[string, readonly string[], Setup, RegExp]>([
  ['another text', ['crlf.md', '--reference', reference], {}, /^altered: .*line/],
  ['another quote root', ['beside.md'], { quoteRoot: sha256('0x12') }, /^not verified: .* quote root is not/],
  [
    'another quote root and a correction',
    ['beside.md'],
    { quoteRoot: sha256('0x12'), change: correct('C') },
    /^superseded: /,
  ],
  ['a revoked attestation', ['beside.md'], { change: revoke }, /^revoked: /],
  ['a forged quote', ['forged.json'], {}, /^(altered|not found): /],
  ['an invalid quote proof', ['broken.json'], {}, /^not verified: /],
])('verify exits with 1 for %s', async (_, argv, more, words) => {
  expect(await verify(argv, more)).toMatchObject({ exitCode: 1, first: expect.stringMatching(words) });
});

it.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
  ['no provider answers', ['beside.md', '--rpc', 'http://127.0.0.1:1'], {}, 'unknown: '],
  [
    'the proof file is false',
    ['a.md'],
    { 'a.md': article, 'a.proof.json': proofOf(article, { attested: { time: '2027-01-15T08:00:35Z' } }) },
    'unknown: The proof file is wrong: attested.time does not match the chain.',
  ],
])('verify exits with 2 if %s, and does not call the text false', async (_, argv, extra, words) => {
  const verdict = await verify(argv, { files: extra });
  expect(verdict).toMatchObject({ exitCode: 2, out: expect.stringContaining(words) });
});

it.each([
  [['article.md'], 'no attestation given'],
  [['two.html'], 'names several attestations'],
  [['none.html'], 'names no attestation'],
  [['article.md', '--reference', 'eip155:1:0x1/1/0x1/bafk'], 'registry'],
  [[reference, '--reference', reference.replace('/1/', '/2/')], 'cannot be combined'],
  [[reference, '--proof', 'beside.proof.json'], 'cannot be combined'],
  [['beside.md', '--offline'], 'pass --offline and --block-hash together'],
  [['beside.md', '--rpc', 'ftp://x'], 'must be an http or https URL'],
  [['nowhere.md'], 'no such file'],
  [['none.json', '--offline', '--block-hash', `0x${'1'.repeat(64)}`], 'not JSON'],
  [[reference, '--domain', 'https://example.org'], 'must be a name such as example.org'],
  [[reference, '--offline', '--block-hash', '0x12', '--domain', 'example.org'], 'used with --domain'],
])('verify exits with 2 for %j', async (argv, words) => {
  await expectError(verify(argv), 2, words);
});

it('--offline checks a proof file against a block hash', async () => {
  const [{ text, blockHash }] = JSON.parse(readFileSync('test/vectors/proofs/cases.json', 'utf8'));
  const proof = readFileSync('test/vectors/proofs/single.proof.json', 'utf8');
  const extra = { files: { 'a.md': text, 'a.proof.json': proof } };
  const { exitCode, out } = await verify(['a.md', '--offline', '--block-hash', blockHash], extra);
  expect(exitCode).toBe(0);
  expect(out).toContain(`valid only if ${blockHash} is block`);
  expect(out).toContain('Not checked offline: attested.');
  const other = await verify(['a.md', '--offline', '--block-hash', `0x${'00'.repeat(32)}`], extra);
  expect(other.exitCode).toBe(2);
});

it('verify prints one JSON object with --json, and colors only on a terminal', async () => {
  const { out } = await verify(['beside.md', '--json'], { isColored: true });
  expect(JSON.parse(out)).toMatchObject({ outcome: 'verified', reference: referenceTo(article) });
  expect(out).not.toContain('bridge');
  expect((await verify(['beside.md'])).out).not.toContain('\u001b');
});

describe('verify with a domain', () => {
  const named = ['article.md', '--reference', reference, '--domain', 'example.org'];
  const [green, bold, red] = ['\u001b[32m', '\u001b[1m', '\u001b[31m'];
  const verifiedText = 'verified: this is the attested text, byte for byte; ';

  /** Verifies while a local server serves this file for the domain. */
  async function verifyWith(served: string | undefined, argv: readonly string[] = named, extra = {}) {
    const { requests, variables } = await serveDomain(served);
    return { ...(await verify(argv, { files: extra, variables, isColored: true })), requests };
  }

  it('prints a vouching domain in green', async () => {
    const { exitCode, out } = await verifyWith(fileOf(await signedEntry('example.org', 1)));
    expect(exitCode).toBe(0);
    expect(out).toContain(`${green}${verifiedText}example.org vouches for the authority`);
    expect(out).toMatch(/^publisher +example\.org$/m);
    expect(out).toContain(`example.org and ${authorityAddress} name each other on chain 8453`);
  });

  it.each([
    ['names another authority', async () => fileOf(await signedEntry('example.org', 2))],
    ['has no file', async () => undefined],
  ])('reports without green that the domain does not vouch if it %s', async (_, file) => {
    const { exitCode, out } = await verifyWith(await file());
    expect(exitCode).toBe(0);
    expect(out).toContain(`${bold}${verifiedText}example.org does not vouch for the authority`);
    expect(out).toContain(`example.org does not vouch for ${authorityAddress}: `);
    expect(out).not.toMatch(/^publisher/m);
  });

  it('uses no green without a compared text, or for an altered one', async () => {
    const served = fileOf(await signedEntry('example.org', 1));
    const { first } = await verifyWith(served, [reference, '--domain', 'example.org']);
    const words = 'verified: the attestation is valid; no text was compared with it; example.org vouches';
    expect(first).toContain(`${bold}${words}`);
    const altered = await verifyWith(served, named, { 'article.md': `${article}Not.` });
    expect(altered.exitCode).toBe(1);
    expect(altered.first).toContain(`${red}altered: `);
  });

  it('uses the domain of the proof file, and no domain with --no-domain', async () => {
    const file = fileOf(await signedEntry('news.example.org', 1));
    const proof = { 'article.proof.json': proofOf(article, { publisher: { domain: 'news.example.org' } }) };
    const hinted = await verifyWith(file, ['article.md'], proof);
    expect(hinted.out).toMatch(/^publisher +news\.example\.org$/m);
    const other = await verifyWith(file, ['article.md', '--domain', 'example.org'], proof);
    expect(other.out).toContain('does not vouch for the authority');
    const neither = await verifyWith(file, ['article.md', '--no-domain'], proof);
    expect(neither.out).toContain('no domain was checked');
    expect([hinted.requests.length, other.requests.length, neither.requests.length]).toEqual([1, 1, 0]);
    // For a domain that the reader named, the note is unnecessary.
    expect(hinted.error).toContain('checking whether news.example.org vouches for the authority (--no');
    expect([other.error, neither.error]).toEqual(['', '']);
  });

  it('uses the domain of the canonical URL of a page', async () => {
    const extra = { 'a.html': `<link rel="canonical" href="https://example.org/1">${page(reference)}` };
    const file = fileOf(await signedEntry('example.org', 1));
    const { out } = await verifyWith(file, ['a.html', '--json'], extra);
    const publisher = { domain: 'example.org', outcome: 'vouches' };
    expect(JSON.parse(out)).toMatchObject({ outcome: 'unknown', publisher });
  });

  it('contacts no host for a local name in the proof file, or without an attestation', async () => {
    const proof = { 'article.proof.json': proofOf(article, { publisher: { domain: 'localhost' } }) };
    expect(await verifyWith('', ['article.md'], proof)).toMatchObject({ exitCode: 0, requests: [] });
    const argv = [reference.replace('/1/', '/2/'), '--domain', 'example.org'];
    expect(await verifyWith('', argv)).toMatchObject({ exitCode: 1, requests: [] });
  });

  it('prints the result as JSON, with notices about the name', async () => {
    const file = fileOf(await signedEntry('bücher.example', 1));
    const argv = [...named.slice(0, -1), 'bücher.example'];
    const { publisher } = JSON.parse((await verifyWith(file, [...argv, '--json'])).out);
    const notices = ['IMPRIMATUR_DOMAIN_ORIGIN', 'look like others'].map((one) =>
      expect.stringContaining(one),
    );
    expect(publisher).toMatchObject({ outcome: 'vouches', domain: 'xn--bcher-kva.example', notices });
    const { out } = await verifyWith(file, argv);
    expect(out).toMatch(/^publisher +xn--bcher-kva\.example \(bücher\.example\)$/m);
  });
});
