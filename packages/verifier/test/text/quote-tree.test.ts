import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import fc from 'fast-check';
import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { quoteVectors, vectorText } from '../../../../test/functions/domain/attestation/vectors.ts';
import { hasQuoteRoot } from '../../src/text/compare-text.ts';
import { readInputText } from '../../src/text/input-text.ts';
import { publicQuoteTreeOf, quoteTreeOf } from '../../src/text/quote-tree.ts';

const rootsOf = (text: string) => [quoteTreeOf(text).root, publicQuoteTreeOf(text).root];

const chunk = fc.string({ minLength: 46, maxLength: 46, unit: fc.string({ minLength: 1, maxLength: 1 }) });
const standardTreeOf = (chunks: readonly string[]) =>
  StandardMerkleTree.of(
    chunks.map((text, index) => [String(index), text]),
    ['string', 'string'],
  );

test('`quoteTreeOf` has the root and the siblings of the OpenZeppelin library', () => {
  fc.assert(
    fc.property(fc.array(chunk, { minLength: 1, maxLength: 40 }), (chunks) => {
      const tree = quoteTreeOf(chunks.join(''));
      const standard = standardTreeOf(chunks);
      expect(rootsOf(chunks.join(''))).toEqual([standard.root, standard.root]);
      for (const index of chunks.keys()) expect(tree.siblings(index)).toEqual(standard.getProof(index));
    }),
    { numRuns: 50 },
  );
});

test.each(quoteVectors.vectors)('`hasQuoteRoot` accepts both rules: $name', (vector) => {
  const input = readInputText(vectorText(vector));
  const roots = [vector.qvRoot, vector.naive46Root, `0x${'0'.repeat(64)}`] as Hex[];
  expect(roots.map((root) => hasQuoteRoot(input, root))).toEqual([true, true, false]);
});

test('`quoteTreeOf` has no root for an empty text', () => {
  expect(rootsOf('')).toEqual([undefined, undefined]);
});
