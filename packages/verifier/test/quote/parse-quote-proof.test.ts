import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compute, orNull } from '../../../verifier-py/test/run-python.ts';
import { quoteTreeOf } from '../../src/text/quote-tree.ts';
import {
  AttestedText,
  parseQuoteProof,
  type QuoteProof,
  QuoteProofInvalidError,
} from '../../src/verifier.ts';
import { changesIn, replaceAt } from '../proof/vectors.ts';
import { quotable, referenceTo } from './quotable.ts';

/** Chunks of 46, 46, 46 and 12 units, no character twice. */
const text = Array.from({ length: 150 }, (_, unit) => String.fromCharCode(0x4e00 + unit)).join('');
const quote = new AttestedText(referenceTo(text), text).quote([text.slice(40, 60), text.slice(100, 145)]);
const { root } = parseQuoteProof(quote);

/** Expects that both verifiers reject a proof, the library for this reason. */
async function expectRejected(input: unknown, reason: string) {
  const json = typeof input === 'string' ? input : JSON.stringify(input);
  expect(() => parseQuoteProof(json)).toThrow(QuoteProofInvalidError);
  expect(() => parseQuoteProof(json)).toThrow(reason);
  expect(await compute('rootOfQuote', [json])).toEqual([null]);
}

test('`parseQuoteProof` accepts a string, bytes, and parsed JSON', () => {
  const json = JSON.stringify(quote, undefined, 2);
  for (const input of [json, new TextEncoder().encode(json), JSON.parse(json)])
    expect(parseQuoteProof(input)).toEqual({ quote, root });
});

test('`parseQuoteProof` normalizes the reference and drops unknown fields', () => {
  const input = { ...quote, authority: quote.authority.toLowerCase(), comment: 'from page 4' };
  expect(parseQuoteProof(input).quote).toEqual(quote);
});

test.each([
  ['not JSON', ''],
  ['not JSON', JSON.stringify(quote).slice(0, -40)],
  ['must be an object', 'null'],
  ['version is missing', '{}'],
  ['longer than 1048576 bytes', `{"version":1,"segments":"${'x'.repeat(10_000_000)}"}`],
])('`parseQuoteProof` rejects what is not a proof: %s (case %#)', async (reason, input) => {
  await expectRejected(input, reason);
});

test('`parseQuoteProof` rejects bytes that are not UTF-8', () => {
  expect(() => parseQuoteProof(new Uint8Array([0x22, 0xff, 0x22]))).toThrow('not UTF-8');
  expect(() => parseQuoteProof(new Uint8Array(10_000_000))).toThrow('longer than');
});

test.each([
  ['version', 2, 'version must be 1'],
  ['ipfsCid', undefined, 'ipfsCid is missing'],
  ['ipfsCid', 'bafybeigdyrzt', 'the CID must be'],
  ['chainId', '8453', 'chainId must be a whole number'],
  ['registryAddress', '0x1234', 'the registry must be an address'],
  ['authority', ['0x'], 'authority must be a string'],
  ['authority', '0x70997970C51812dc3A010C7d01b50e0d17dc79C9', 'wrong checksum'],
  ['attestationIndex', 0, 'attestationIndex must be a whole number of at least 1'],
  ['segments', [], 'segments has 0 items'],
  ['segments', {}, 'segments must be a list'],
  ['segments', ['abc'], 'segments[0] must be an object'],
  ['segments', [{ text: '', chunk: 0, offset: 0 }], 'segments[0].text must be a non-empty string'],
  ['segments', [{ text: '\ude00', chunk: 0, offset: 0 }], 'without lone surrogates'],
  ['segments', [{ text: 'abc', chunk: -1, offset: 0 }], 'segments[0].chunk'],
  ['segments', [{ text: 'abc', chunk: 0, offset: '0' }], 'segments[0].offset'],
  ['proof', [], 'proof has 0 items'],
])('`parseQuoteProof` rejects a proof with %s: %j', async (field, value, reason) => {
  await expectRejected({ ...quote, [field]: value }, reason);
});

const leaf = { value: ['0', text.slice(0, 46)], proof: quote.proof[0]?.proof };

test.each([
  ['proof[0].value has 1 items', { ...leaf, value: ['0'] }],
  ['a decimal number', { ...leaf, value: [0, 'abc'] }],
  ['a decimal number', { ...leaf, value: ['00', 'abc'] }],
  ['a decimal number', { ...leaf, value: ['9'.repeat(16), 'abc'] }],
  ['proof[0].value has 3 items', { ...leaf, value: ['0', 'abc', 'd'] }],
  ['without lone surrogates', { ...leaf, value: ['0', '\ud83d'] }],
  ['has the wrong length', { ...leaf, value: ['0', 'a'.repeat(47)] }],
  ['has the wrong length', { ...leaf, value: ['0', 'a'.repeat(100)] }],
  ['proof[0].proof must be a list', { ...leaf, proof: 'abc' }],
  ['32 bytes in hexadecimal', { ...leaf, proof: ['0x12'] }],
  ['proof[0].proof has 49 items', { ...leaf, proof: Array.from({ length: 49 }, () => root) }],
])('`parseQuoteProof` rejects an invalid leaf: %s (case %#)', async (reason, changed) => {
  const segments = [{ text: 'a', chunk: 0, offset: 0 }];
  await expectRejected({ ...quote, segments, proof: [changed] }, reason);
});

const { proof, segments } = quote;
const changed = (fields: Partial<QuoteProof>) => ({ ...quote, ...fields });
const withSegment = (words: string, offset: number) =>
  changed({ segments: [{ text: words, chunk: 0, offset }] });

test.each([
  ['a gap', changed({ proof: proof.toSpliced(1, 1) }), 'Chunk 1 of the quoted text is missing'],
  ['a leaf twice', changed({ proof: [...proof.slice(0, 1), ...proof] }), 'repeated or not in order'],
  ['leaves in another order', changed({ proof: proof.toReversed() }), 'repeated or not in order'],
  ['pieces in another order', changed({ segments: segments.toReversed() }), 'not in the order of the text'],
  ['a chunk too many', changed({ segments: segments.slice(0, 1) }), 'that no quoted piece uses'],
  ['an offset past the chunk', withSegment(text.slice(46, 48), 46), 'does not contain the quoted text'],
  ['a piece of other words', withSegment('forged', 40), 'does not contain the quoted text'],
])('`parseQuoteProof` rejects a proof with %s', async (_, input, reason) => {
  await expectRejected(input, reason);
});

test('`parseQuoteProof` rejects leaves of different trees', async () => {
  const other = `${text.slice(0, 100)}!${text.slice(101)}`;
  const elsewhere = new AttestedText(referenceTo(other), other).quote(other.slice(40, 60));
  const mixed = changed({ proof: [...elsewhere.proof, ...proof.slice(2)] });
  await expectRejected(mixed, 'do not lead to one root');
});

test('`parseQuoteProof` accepts adjacent pieces, and rejects overlapping ones', async () => {
  const touching = new AttestedText(referenceTo(text), text).quote([
    text.slice(0, 46),
    text.slice(46, 50),
    text.slice(50, 52),
  ]);
  expect(parseQuoteProof(touching).quote).toEqual(touching);
  const [, , third] = touching.segments;
  const overlapping = { ...third, text: text.slice(49, 52), offset: 3 };
  const input = { ...touching, segments: [...touching.segments.slice(0, 2), overlapping] };
  await expectRejected(input, 'not in the order of the text');
});

test('`parseQuoteProof` rejects a character that is split between chunks', async () => {
  // Public tools hash each half as U+FFFD, whatever its character is.
  const [first, second] = [`${'a'.repeat(45)}\ufffd`, `\ufffd${'b'.repeat(20)}`];
  const both = new AttestedText(referenceTo(first + second), first + second).quote(['aaa', 'bbb']);
  const leaves = (...chunks: readonly string[]) =>
    chunks.map((chunk, index) => ({ value: [String(index), chunk], proof: both.proof[index]?.proof }));
  const at45 = (words: string) => [{ text: words, chunk: 0, offset: 45 }];
  await expectRejected(
    { ...quote, segments: at45('💩'), proof: leaves(`${'a'.repeat(45)}\ud83d`, `\udca9${'b'.repeat(20)}`) },
    'without lone surrogates',
  );
  await expectRejected(
    { ...quote, segments: at45('\ufffd\ufffd'), proof: leaves(first, second) },
    'is split between two chunks',
  );
});

/** The root of a proof; `undefined` if `parseQuoteProof` rejects it. */
function rootOf(proof: unknown): string | undefined {
  try {
    return parseQuoteProof(JSON.stringify(proof)).root;
  } catch (error) {
    if (error instanceof QuoteProofInvalidError) return undefined;
    throw error;
  }
}

test('both verifiers accept random proofs', async () => {
  const inputs = fc.sample(quotable, 1000).map(({ text, pieces }) => {
    const { segments, ...proof } = new AttestedText(referenceTo(text), text).quote(pieces);
    expect(segments.map((segment) => segment.text)).toEqual(pieces);
    return { proof: { ...proof, segments }, root: quoteTreeOf(text).root };
  });
  const roots = inputs.map(({ root }) => root);
  expect(inputs.map(({ proof }) => rootOf(proof))).toEqual(roots);
  const proofs = inputs.map((input) => JSON.stringify(input.proof));
  expect(await compute('rootOfQuote', proofs)).toEqual(roots);
});

test('both verifiers reject a changed proof', async () => {
  const changes = [...changesIn({ segments, proof })].map(([path, by]) =>
    JSON.stringify({ ...quote, ...(replaceAt({ segments, proof }, path.split('/').slice(1), by) as object) }),
  );
  const roots = changes.map((json) => orNull(() => parseQuoteProof(json).root));
  expect(changes.length).toBeGreaterThan(200);
  expect(new Set(roots)).toEqual(new Set([null]));
  expect(await compute('rootOfQuote', changes)).toEqual(roots);
});

interface Vector {
  readonly name: string;
  readonly root: string;
  readonly holds: boolean;
  readonly proof: QuoteProof;
}

const file = new URL('../../../../test/vectors/quote-proof.json', import.meta.url);
const { vectors }: { readonly vectors: readonly Vector[] } = JSON.parse(readFileSync(file, 'utf8'));

test.each(vectors)('both verifiers agree with the vector "$name"', async ({ root, holds, proof }) => {
  expect(rootOf(proof) === root).toBe(holds);
  expect((await compute('rootOfQuote', [JSON.stringify(proof)]))[0] === root).toBe(holds);
});
