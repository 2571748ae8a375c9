import { AttestedText, type ProofFile, type QuoteProof, takeProof } from 'imprimatur-verifier';
import { beforeAll, expect, test } from 'vitest';
import { fileOf, pageFile, textFile, texts } from './attested.ts';
import { attested, type Giving, reader, setReaderScene } from './reader-page.ts';

const noRegistry = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let quote: QuoteProof;
let proof: ProofFile;

setReaderScene();
beforeAll(async () => {
  quote = new AttestedText(attested.unchanged, texts.unchanged).quote(
    'Engineers found cracks in\ntwo of its piers.',
  );
  proof = await takeProof(attested.unchanged, [attested.rpcUrl], { text: texts.unchanged });
});

const proofFiles = () => [textFile(texts.unchanged), fileOf('article.proof.json', JSON.stringify(proof))];

const blockHash = () => proof.storage?.block.hash ?? '';

const quoteProof = () => fileOf('quote.json', JSON.stringify(quote));

/** A clear answer in words, which is no pass. */
async function expectAnswer(giving: Giving, answer: RegExp): Promise<void> {
  const { title, summary } = await reader.check(giving);
  expect(`${title}: ${summary}`).toMatch(answer);
  expect(title).not.toMatch(/Unchanged|Stated|^Attested/);
  expect(await reader.page.locator('.fair').count()).toBe(0);
}

const changedDigit = (hex: string) => hex.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));

/** What the verifier's own tests have in all forms: here the page is to show each kind of answer. */
const badQuotes: readonly [name: string, make: () => object | string, answer: RegExp][] = [
  ['is of another chain', () => ({ ...quote, chainId: 1 }), /Unknown/],
  [
    'is forged',
    () => ({ ...quote, segments: [{ text: 'Engineers lied', chunk: 2, offset: 0 }] }),
    /proves nothing/,
  ],
  ['is truncated', () => JSON.stringify(quote).slice(0, -20), /problem: Not checked/],
  [
    'is of another article',
    () => ({ ...quote, attestationIndex: attested.corrected.attestationIndex }),
    /No such/,
  ],
  [
    'is of another article, CID and all',
    () => {
      const { contentCid: ipfsCid, attestationIndex } = attested.corrected;
      return { ...quote, ipfsCid, attestationIndex };
    },
    /Not what was attested/,
  ],
  [
    'is of no registry',
    () => ({ ...quote, registryAddress: noRegistry }),
    /No such attestation: There is no contract/,
  ],
  ['is 10 MB large', () => `{"ipfsCid":"${'x'.repeat(10_000_000)}"}`, /proves nothing/],
];

test('the quote proof and the proof file that are made bad here are good ones', async () => {
  expect((await reader.check({ files: [quoteProof()], rpc: attested.rpcUrl })).title).toContain('Stated on');
  await reader.page.reload();
  expect((await reader.check({ files: proofFiles(), blockHash: blockHash() })).title).toContain(
    'Unchanged since',
  );
});

test.each(badQuotes)('a quote proof that %s is never verified', async (_, make, answer) => {
  const made = make();
  const file = fileOf('quote.json', typeof made === 'string' ? made : JSON.stringify(made));
  await expectAnswer({ files: [file], rpc: attested.rpcUrl }, answer);
});

const badProofs: readonly [name: string, change: (proof: ProofFile) => object | string, answer: RegExp][] = [
  ['is no JSON', () => 'It is proven.', /cannot be read: the file is not JSON/],
  ['is 10 MB large', (file) => JSON.stringify(file) + ' '.repeat(10_000_000), /cannot be read: .* longer/],
  ['has nothing in it', () => ({}), /cannot be read/],
  ['has no storage', ({ storage: _, ...file }) => file, /Unknown.*no storage/],
  ['is of another attestation', (file) => ({ ...file, reference: attested.withdrawn }), /Unknown/],
  [
    'has a changed header',
    ({ storage, ...file }) => ({
      ...file,
      storage: {
        ...storage,
        block: { ...storage?.block, header: changedDigit(storage?.block.header ?? '') },
      },
    }),
    /Unknown/,
  ],
];

test.each(badProofs)('a proof file that %s is never verified offline', async (_, change, answer) => {
  const changed = change(proof);
  const file = fileOf('article.proof.json', typeof changed === 'string' ? changed : JSON.stringify(changed));
  await expectAnswer({ files: [textFile(texts.unchanged), file], blockHash: blockHash() }, answer);
  expect(reader.opened.requested).toEqual([]);
});

const badChoices: readonly [name: string, giving: () => Giving, answer: RegExp][] = [
  ['another block hash', () => ({ files: proofFiles(), blockHash: `0x${'1'.repeat(64)}` }), /Unknown/],
  ['a block hash that is none', () => ({ files: proofFiles(), blockHash: '0x12' }), /64 hexadecimal digits/],
  [
    'a block hash without a proof',
    () => ({ text: 'a', reference: attested.unchanged, blockHash: '0x12' }),
    /proof file is needed/,
  ],
  [
    'a proof file and the reference of another',
    () => ({ files: proofFiles(), reference: attested.corrected }),
    /of another attestation/,
  ],
  ['a quote proof beside a text', () => ({ text: 'a', files: [quoteProof()] }), /checked by itself/],
  [
    'a quote proof and a reference',
    () => ({ reference: attested.corrected, files: [quoteProof()] }),
    /checked by itself/,
  ],
  [
    'a quote proof with nobody to ask',
    () => ({ files: [quoteProof()], blockHash: `0x${'1'.repeat(64)}` }),
    /cannot be checked without asking/,
  ],
  [
    'a page and the reference of another',
    () => ({ files: [pageFile(attested.corrected)], reference: attested.unchanged }),
    /does not name this attestation/,
  ],
  ['a text alone', () => ({ text: texts.unchanged }), /Which attestation is it\?/],
  ['two texts', () => ({ files: [textFile('a'), fileOf('b.txt', 'b')] }), /Give one text at a time/],
  ['a pasted text and a file', () => ({ text: 'a', files: [textFile('a')] }), /remove one of them/],
  [
    'a page that names nothing',
    () => ({ files: [fileOf('a.html', '<p>Nothing.</p>')] }),
    /names no attestation/,
  ],
  [
    'a reference with a wrong checksum',
    () => ({ reference: `eip155:1:${noRegistry.replace('C5', 'c5')}/1/${noRegistry}/x` }),
    /wrong checksum/,
  ],
  [
    'a provider by http elsewhere',
    () => ({ reference: attested.unchanged, rpc: 'http://example.org/secret' }),
    /RPC provider 1 must be an https URL/,
  ],
  ['no provider', () => ({ reference: attested.unchanged, rpc: ' ' }), /Give the URL/],
  [
    'a chain without public providers',
    () => ({ reference: attested.unchanged }),
    /No public RPC provider of chain 31337/,
  ],
];

test.each(badChoices)('%s is told what to do about, and nobody is asked', async (_, giving, answer) => {
  await expectAnswer(giving(), answer);
  expect(await reader.page.locator('main').textContent()).not.toContain('secret');
  expect(reader.opened.requested).toEqual([]);
});

test('a proof file that says otherwise than the chain is false', async () => {
  const changed = JSON.stringify({ ...proof, attested: { time: '2020-01-01T00:00:00Z' } });
  const files = [textFile(texts.unchanged), fileOf('article.proof.json', changed)];
  await expectAnswer({ files, rpc: attested.rpcUrl }, /Unknown.*The proof file is false/);
});
