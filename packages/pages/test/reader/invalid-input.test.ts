import { AttestedText, type ProofFile, type QuoteProof, takeProof } from 'imprimatur-verifier';
import { beforeAll, expect, test } from 'vitest';
import { fileOf, pageFile, textFile, texts } from './attested.ts';
import { attested, type EnteredInput, reader, setUpReader } from './reader-page.ts';

const noRegistry = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let quote: QuoteProof;
let proof: ProofFile;

setUpReader();
beforeAll(async () => {
  quote = new AttestedText(attested.unchanged, texts.unchanged).quote(
    'Engineers found cracks in\ntwo of its piers.',
  );
  proof = await takeProof(attested.unchanged, [attested.rpcUrl], { text: texts.unchanged });
});

const proofFiles = () => [textFile(texts.unchanged), fileOf('article.proof.json', JSON.stringify(proof))];

const blockHash = () => proof.storage?.block.hash ?? '';

const quoteProof = () => fileOf('quote.json', JSON.stringify(quote));

/** Expects an answer that is not a success. */
async function expectAnswer(input: EnteredInput, answer: RegExp): Promise<void> {
  const { title, summary } = await reader.check(input);
  expect(`${title}: ${summary}`).toMatch(answer);
  expect(title).not.toMatch(/Unchanged|Stated|^Attested/);
  expect(await reader.page.locator('.fair').count()).toBe(0);
}

/** One case for each kind of answer. The verifier's tests have all cases. */
const badQuotes: readonly [name: string, make: () => object, answer: RegExp][] = [
  ['is for another chain', () => ({ ...quote, chainId: 1 }), /Unknown/],
  ['is forged', () => ({ ...quote, segments: quote.segments.slice(1) }), /is not a valid quote proof/],
  ['names an address without code', () => ({ ...quote, registryAddress: noRegistry }), /No such attestation/],
  [
    'names the CID and the index of another article',
    () => {
      const { contentCid: ipfsCid, attestationIndex } = attested.corrected;
      return { ...quote, ipfsCid, attestationIndex };
    },
    /Not the attested passage/,
  ],
];

test.each(badQuotes)('a quote proof that %s is never verified', async (_, make, answer) => {
  await expectAnswer({ files: [fileOf('quote.json', JSON.stringify(make()))], rpc: attested.rpcUrl }, answer);
});

test.each([
  ['has no fields', () => ({}), /is not a valid proof file/],
  ['is for another attestation', () => ({ ...proof, reference: attested.revoked }), /Unknown/],
])('a proof file that %s is never verified offline', async (_, make, answer) => {
  const file = fileOf('article.proof.json', JSON.stringify(make()));
  await expectAnswer({ files: [textFile(texts.unchanged), file], blockHash: blockHash() }, answer);
  expect(reader.opened.requested).toEqual([]);
});

const badChoices: readonly [name: string, input: () => EnteredInput, answer: RegExp][] = [
  ['another block hash', () => ({ files: proofFiles(), blockHash: `0x${'1'.repeat(64)}` }), /Unknown/],
  ['an invalid block hash', () => ({ files: proofFiles(), blockHash: '0x12' }), /64 hexadecimal digits/],
  [
    'a block hash without a proof',
    () => ({ text: 'a', reference: attested.unchanged, blockHash: '0x12' }),
    /needs a proof file/,
  ],
  [
    'a proof file and another reference',
    () => ({ files: proofFiles(), reference: attested.corrected }),
    /for different attestations/,
  ],
  ['a quote proof beside a text', () => ({ text: 'a', files: [quoteProof()] }), /checked on its own/],
  [
    'a quote proof without a provider',
    () => ({ files: [quoteProof()], blockHash: `0x${'1'.repeat(64)}` }),
    /cannot be checked offline/,
  ],
  [
    'a page and another reference',
    () => ({ files: [pageFile(attested.corrected)], reference: attested.unchanged }),
    /does not name this attestation/,
  ],
  ['only a text', () => ({ text: texts.unchanged }), /Which attestation do you want to check\?/],
  ['two texts', () => ({ files: [textFile('a'), fileOf('b.txt', 'b')] }), /Add only one text/],
  ['a pasted text and a file', () => ({ text: 'a', files: [textFile('a')] }), /Remove one of them/],
  ['a page without marks', () => ({ files: [fileOf('a.html', '<p>Nothing.</p>')] }), /names no attestation/],
  [
    'an http provider on another machine',
    () => ({ reference: attested.unchanged, rpc: 'http://example.org/secret' }),
    /RPC provider 1 must be an https URL/,
  ],
  ['no provider', () => ({ reference: attested.unchanged, rpc: ' ' }), /Enter the URL/],
  ['an unknown chain', () => ({ reference: attested.unchanged }), /no public RPC provider of chain 31337/],
];

test.each(badChoices)(
  'for %s, the page shows an error with advice and sends no request',
  async (_, input, answer) => {
    await expectAnswer(input(), answer);
    expect(await reader.page.locator('main').textContent()).not.toContain('secret');
    expect(reader.opened.requested).toEqual([]);
  },
);

test('a proof file that differs from the chain is rejected', async () => {
  const changed = JSON.stringify({ ...proof, attested: { time: '2020-01-01T00:00:00Z' } });
  const files = [textFile(texts.unchanged), fileOf('article.proof.json', changed)];
  await expectAnswer({ files, rpc: attested.rpcUrl }, /Unknown.*The proof file is wrong/);
});
