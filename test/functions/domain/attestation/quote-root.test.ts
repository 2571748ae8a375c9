import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteRoot } from '../../../../functions/domain/attestation/quote-root.ts';
import { quoteVectors, vectorText } from './vectors.ts';

/** The rule said another way: whole characters are taken until a chunk has 46 units or more. */
function chunksByCharacter(text: string): string[] {
  const chunks = [''];
  for (const character of text) {
    if ((chunks.at(-1) ?? '').length >= 46) chunks.push('');
    chunks.push(`${chunks.pop() ?? ''}${character}`);
  }
  return chunks;
}

function independentRoot(text: string): string {
  const leaves = chunksByCharacter(text).map((chunk, index) => [String(index), chunk]);
  return StandardMerkleTree.of(leaves, ['string', 'string']).root;
}

test.each(quoteVectors.vectors)('gives the root of: $name', (vector) => {
  expect(quoteRoot(vectorText(vector))).toBe(vector.qvRoot);
});

const moved = quoteVectors.vectors.filter(({ qvRoot, naive46Root }) => qvRoot !== naive46Root);

test('differs from the root without the surrogate rule where vectors say so', () => {
  expect(moved.length).toBeGreaterThan(0);
  for (const vector of moved) expect(quoteRoot(vectorText(vector))).not.toBe(vector.naive46Root);
});

test('tells characters across a boundary apart that would hash alike when split', () => {
  const before = 'a'.repeat(45);
  expect(quoteRoot(`${before}😀`)).not.toBe(quoteRoot(`${before}💩`));
  expect(quoteRoot(`${before}😀tail`)).not.toBe(quoteRoot(`${before}💩tail`));
});

test('equals the root of the OpenZeppelin tree for any text', () => {
  const character = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constant('😀'));
  fc.assert(
    fc.property(fc.array(character, { minLength: 1, maxLength: 600 }), (characters) => {
      const text = characters.join('');
      expect(quoteRoot(text)).toBe(independentRoot(text));
    }),
    { numRuns: 200 },
  );
});

test.each([45, 46, 47, 91, 92, 93])('equals it for %i units, near a boundary', (units) => {
  expect(quoteRoot('x'.repeat(units))).toBe(independentRoot('x'.repeat(units)));
});

test('equals it for 1 MiB', () => {
  const text = 'Attested, not trusted. 📰 '.repeat(38_836);
  expect(quoteRoot(text)).toBe(independentRoot(text));
});

test('refuses a text without characters', () => {
  expect(() => quoteRoot('')).toThrow(RangeError);
});
