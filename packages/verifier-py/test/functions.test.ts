import { readdirSync } from 'node:fs';
import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import fc from 'fast-check';
import { AttestedText, formatReference, parseQuoteProof, parseReference } from 'imprimatur-verifier';
import { base36 } from 'multiformats/bases/base36';
import { base58btc } from 'multiformats/bases/base58';
import { CID } from 'multiformats/cid';
import { type Hex, keccak256, toHex } from 'viem';
import { describe, expect, test } from 'vitest';
import { quoteVectors, vectorText } from '../../../test/functions/domain/attestation/vectors.ts';
import { cidOfDigest, digestOfCid } from '../../verifier/src/reference/content-cid.ts';
import { hasQuoteRoot } from '../../verifier/src/text/compare-text.ts';
import { readInputText } from '../../verifier/src/text/input-text.ts';
import { referenceTo } from '../../verifier/test/quote/quotable.ts';
import { compute, orNull, pythonFolder, runPython } from './run-python.ts';

test('every module works in Python 3.10 and imports only the standard library', async () => {
  const program = `
import ast, pathlib, sys
for path in pathlib.Path(sys.argv[1]).glob('imprimatur_verifier/*.py'):
    ast.parse(path.read_text('utf-8'), feature_version=(3, 10))
sys.path.insert(0, sys.argv[1])
import imprimatur_verifier.__main__
print(*(name for name in sys.modules if name.startswith('imprimatur_verifier.')))
`;
  // The options exclude the folder of installed packages.
  const { code, stdout, stderr } = await runPython(['-I', '-S', '-W', 'error', '-c', program, pythonFolder]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const modules = readdirSync(`${pythonFolder}/imprimatur_verifier`).filter((name) => name.endsWith('.py'));
  expect(stdout.trim().split(' ')).toHaveLength(modules.length - 1);
});

/** Texts with one character removed, inserted or replaced. */
const changedTexts = (texts: fc.Arbitrary<string>) =>
  fc
    .tuple(texts, fc.nat(200), fc.nat(2), fc.constantFrom(...'0aAbzZ19_=:/ \u00e9\ufeff\n'))
    .map(([text, position, count, character]) => {
      const cut = position % (text.length + 1);
      return text.slice(0, cut) + character.slice(count === 2 ? 1 : 0) + text.slice(cut + (count ? 1 : 0));
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
/** Texts of one or more chunks, with surrogate pairs that a chunk border may split. */
const texts = fc.string({
  unit: fc.constantFrom('a', 'é', '€', '😀', '\ufffd', '\n'),
  ...{ minLength: 40, maxLength: 300, size: 'max' },
});

/** A quote proof of all these chunks, valid or not, with the root of their tree. */
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

describe('Python and the library agree on', () => {
  test('keccak-256', async () => {
    const random = fc.sample(fc.uint8Array({ maxLength: 420 }), 300).map((bytes) => toHex(bytes));
    const borders = [0, 1, 134, 135, 136, 137, 271, 272].map((length): Hex => `0x${'a5'.repeat(length)}`);
    const inputs = [...borders, ...random];
    expect(await compute('keccak256', inputs)).toEqual(inputs.map((input) => keccak256(input)));
  });

  test('the digests of valid and invalid CIDs', async () => {
    const inputs = fc.sample(fc.oneof(cids, changedTexts(cids)), 1000);
    const expected = inputs.map((input) => orNull(() => digestOfCid(input)));
    expect(await compute('digestOfCid', inputs)).toEqual(expected);
    expect(new Set(expected.map((result) => result === null)).size).toBe(2);
  });

  test('valid and invalid references', async () => {
    const good = formatReference(referenceTo('A text.'));
    const odd = ['/0/', '/٧/', '/07/', '/9007199254740992/'].map((index) => good.replace('/1/', index));
    const inputs = [...odd, ...fc.sample(fc.oneof(references, changedTexts(references)), 1000)];
    const expected = inputs.map((input) => orNull(() => formatReference(parseReference(input))));
    expect(await compute('normalReference', inputs)).toEqual(expected);
    expect(new Set(expected.map((result) => result === null)).size).toBe(2);
  });

  test('quote roots by both rules', async () => {
    const inputs = fc.sample(texts, 150);
    const roots = (await compute('quoteRoots', inputs)) as Hex[][];
    for (const [position, text] of inputs.entries())
      for (const root of roots[position] ?? []) expect(hasQuoteRoot(readInputText(text), root)).toBe(true);
    expect(roots.filter(([ours, split]) => ours !== split)).not.toEqual([]);
    const { vectors } = quoteVectors;
    expect(await compute('quoteRoots', ['', ...vectors.map(vectorText)])).toEqual([
      [null, null],
      ...vectors.map(({ qvRoot, naive46Root }) => [qvRoot, naive46Root]),
    ]);
  });

  test('whether a quote proof with chunks of any length is valid', async () => {
    const inputs = Array.from({ length: 100 }, (_, length) => length).flatMap((length) => {
      const whole = 'a'.repeat(46);
      const chunk = 'b'.repeat(length);
      const withPair = `${'c'.repeat(Math.max(0, length - 2))}😀`;
      return [[chunk], [whole, chunk], [chunk, whole], [withPair], [withPair, whole]].map(quoteOf);
    });
    const expected = inputs.map((input) => orNull(() => parseQuoteProof(input).root));
    expect(await compute('rootOfQuote', inputs)).toEqual(expected);
    expect(new Set(expected.map((result) => result === null)).size).toBe(2);
  });
});
