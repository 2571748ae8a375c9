import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import fc from 'fast-check';
import { AttestedText, formatReference, parseQuoteProof, parseReference } from 'imprimatur-verifier';
import { base36 } from 'multiformats/bases/base36';
import { base58btc } from 'multiformats/bases/base58';
import { CID } from 'multiformats/cid';
import { type Hex, keccak256, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { cidOfDigest, digestOfCid } from '../../verifier/src/reference/content-cid.ts';
import { hasQuoteRoot } from '../../verifier/src/text/compare-text.ts';
import { readGivenText } from '../../verifier/src/text/given-text.ts';
import { mutations } from '../../verifier/test/quote/mutations.ts';
import { type Quotable, quotable, referenceTo } from '../../verifier/test/quote/quotable.ts';
import { computed, orNull, pythonFolder, runPython } from './run-python.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

test('the committed vectors hold', async () => {
  const { code, stderr } = await runPython(['-W', 'error', '-m', 'unittest', 'discover', '-s', folder]);
  expect(stderr).toMatch(/^Ran [1-9]\d* tests[\s\S]*^OK$/m);
  expect(code).toBe(0);
});

test('every module compiles without a warning, and imports only the standard library', async () => {
  const modules = readdirSync(`${pythonFolder}/imprimatur_verifier`).filter((name) => name.endsWith('.py'));
  const program = `
import ast, sys
for name in sys.argv[2:]:
    with open(f'{sys.argv[1]}/{name}', encoding='utf-8') as file:
        source = file.read()
    compile(source, name, 'exec')
    for node in ast.walk(ast.parse(source, feature_version=(3, 10))):
        names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
        for one in names:
            if one.split('.')[0] not in sys.stdlib_module_names:
                sys.exit(f'{name} imports {one}')
`;
  expect(modules).toContain('__main__.py');
  const result = await runPython([
    '-W',
    'error',
    '-c',
    program,
    `${pythonFolder}/imprimatur_verifier`,
    ...modules,
  ]);
  expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
});

/** The text with one character taken out, put in or replaced. */
const changed = (texts: fc.Arbitrary<string>) =>
  fc
    .tuple(texts, fc.nat(200), fc.nat(2), fc.constantFrom(...'0aAbzZ19_=:/ \u00e9\ufeff\n'))
    .map(([text, place, count, character]) => {
      const at = place % (text.length + 1);
      return text.slice(0, at) + character.slice(count === 2 ? 1 : 0) + text.slice(at + (count ? 1 : 0));
    });

const digests = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toHex(bytes));
const cids = fc
  .tuple(digests, fc.constantFrom(undefined, base36, base58btc))
  .map(([digest, base]) => CID.parse(cidOfDigest(digest)).toString(base));
const addresses = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => toHex(bytes));
const references = fc
  .record({
    chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    registryAddress: addresses,
    attestationIndex: fc.integer({ min: 1, max: 2 ** 48 }),
    authorityAddress: addresses,
    contentCid: cids,
  })
  .map(formatReference);
/** Texts around the borders of chunks, with pairs on them. */
const texts = fc.string({
  unit: fc.constantFrom('a', 'é', '€', '😀', '\ufffd', '\n'),
  ...{ minLength: 40, maxLength: 300, size: 'max' },
});

const names = Object.keys(mutations);

/** A quote proof as JSON, mutated where there is a name. */
function proofIn([{ text, pieces }, name, place]: [Quotable, string | undefined, number]): string {
  const proof = new AttestedText(referenceTo(text), text).quote(pieces);
  const copy = structuredClone(proof) as Parameters<(typeof mutations)[string]>[0];
  if (name !== undefined) mutations[name]?.(copy, place);
  return JSON.stringify(copy);
}

/** A quote proof of whole chunks, whatever these are, below the root of a tree of them. */
function quoteOf(chunks: readonly string[]): string {
  const tree = StandardMerkleTree.of(
    chunks.map((chunk, index) => [String(index), chunk]),
    ['string', 'string'],
  );
  const sound = new AttestedText(referenceTo('A text.'), 'A text.').quote('text');
  const proof = chunks.map((chunk, index) => ({
    value: [String(index), chunk],
    proof: tree.getProof(index),
  }));
  return JSON.stringify({ ...sound, segments: [{ text: chunks.join(''), chunk: 0, offset: 0 }], proof });
}

describe('computes what the library computes:', () => {
  test('keccak-256', async () => {
    const random = fc.sample(fc.uint8Array({ maxLength: 420 }), 300).map((bytes) => toHex(bytes));
    const borders = [0, 1, 134, 135, 136, 137, 271, 272].map((length): Hex => `0x${'a5'.repeat(length)}`);
    const inputs = [...borders, ...random];
    expect(await computed('keccak256', inputs)).toEqual(inputs.map((input) => keccak256(input)));
  });

  test('the digests of CIDs, good and spoilt', async () => {
    const inputs = fc.sample(fc.oneof(cids, changed(cids)), 1000);
    const expected = inputs.map((input) => orNull(() => digestOfCid(input)));
    expect(await computed('digestOfCid', inputs)).toEqual(expected);
    expect(new Set(expected.map((one) => one === null)).size).toBe(2);
  });

  test('references, good and spoilt', async () => {
    const good = formatReference(referenceTo('A text.'));
    const odd = ['/0/', '/٧/', '/07/', '/9007199254740992/'].map((index) => good.replace('/1/', index));
    const inputs = [...odd, ...fc.sample(fc.oneof(references, changed(references)), 1000)];
    const expected = inputs.map((input) => orNull(() => formatReference(parseReference(input))));
    expect(await computed('normalReference', inputs)).toEqual(expected);
    expect(new Set(expected.map((one) => one === null)).size).toBe(2);
  });

  test('quote roots by both rules', async () => {
    const inputs = fc.sample(texts, 150);
    const roots = (await computed('quoteRoots', inputs)) as Hex[][];
    for (const [place, text] of inputs.entries())
      for (const root of roots[place] ?? []) expect(hasQuoteRoot(readGivenText(text), root)).toBe(true);
    expect(roots.filter(([ours, split]) => ours !== split)).not.toEqual([]);
  });

  test('the roots of quote proofs, sound and mutated', async () => {
    const inputs = fc
      .sample(fc.tuple(quotable, fc.constantFrom(undefined, ...names), fc.nat()), 1000)
      .map(proofIn);
    const expected = inputs.map((input) => orNull(() => parseQuoteProof(input).root));
    expect(await computed('rootOfQuote', inputs)).toEqual(expected);
    expect(new Set(expected.map((one) => one === null)).size).toBe(2);
  });

  test('whether a quote proof with chunks of any length is one', async () => {
    const inputs = Array.from({ length: 100 }, (_, length) => length).flatMap((length) => {
      const whole = 'a'.repeat(46);
      const chunk = 'b'.repeat(length);
      const withPair = `${'c'.repeat(Math.max(0, length - 2))}😀`;
      return [[chunk], [whole, chunk], [chunk, whole], [withPair], [withPair, whole]].map(quoteOf);
    });
    const expected = inputs.map((input) => orNull(() => parseQuoteProof(input).root));
    expect(await computed('rootOfQuote', inputs)).toEqual(expected);
    expect(new Set(expected.map((one) => one === null)).size).toBe(2);
  });

  test('that no U+FFFD is quoted on the border of two chunks', async () => {
    const [whole, lost] = ['a'.repeat(46), '\ufffd'];
    const within = [[whole, `b${lost}c`], [`${lost}a`]];
    const onBorders = [
      [whole, `${lost}b`],
      ['a'.repeat(45) + lost, 'b'],
    ];
    const inputs = [...within, ...onBorders].map(quoteOf);
    const roots = inputs.map((input) => orNull(() => parseQuoteProof(input).root));
    expect(roots.map((root) => root !== null)).toEqual([true, true, false, false]);
    expect(await computed('rootOfQuote', inputs)).toEqual(roots);
  });

  test.each([
    ['version', ['1', 2, true, null, 1.5]],
    ['chainId', [0, -1, 1.5, 2 ** 53, '1']],
    ['attestationIndex', [0, null]],
    ['authority', ['0x1', null, '0x70997970c51812DC3A010C7d01b50e0d17dc79C8']],
    ['ipfsCid', ['bafk', 7]],
    ['segments', [[], {}, null, [null], [[]]]],
    ['proof', [[], [{ value: ['0'], proof: [] }], [{ value: ['0', 'a', 'b'], proof: [] }], 'a']],
  ])('whether a quote proof with another %s is one', async (field, values) => {
    const proof = new AttestedText(referenceTo('A text.'), 'A text.').quote('text');
    const inputs = [proof, ...values.map((value) => ({ ...proof, [field]: value }))].map((one) =>
      JSON.stringify(one),
    );
    const expected = inputs.map((input) => orNull(() => parseQuoteProof(input).root));
    expect(expected.filter((root) => root !== null)).toHaveLength(1);
    expect(await computed('rootOfQuote', inputs)).toEqual(expected);
  });
});
