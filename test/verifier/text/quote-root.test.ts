import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import fc from 'fast-check';
import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { hasQuoteRoot } from '../../../verifier/text/compare-text.ts';
import { readGivenText } from '../../../verifier/text/given-text.ts';
import { quoteRootOfText, rootWithSplitPairs } from '../../../verifier/text/quote-root.ts';
import { quoteVectors, vectorText } from '../../functions/domain/attestation/vectors.ts';

test.each(quoteVectors.vectors)('gives both roots of: $name', (vector) => {
  const text = vectorText(vector);
  expect([quoteRootOfText(text), rootWithSplitPairs(text)]).toEqual([vector.qvRoot, vector.naive46Root]);
});

test('is that of the OpenZeppelin library over the same chunks', () => {
  const chunk = fc.string({ minLength: 46, maxLength: 46, unit: fc.string({ minLength: 1, maxLength: 1 }) });
  fc.assert(
    fc.property(fc.array(chunk, { minLength: 1, maxLength: 40 }), (chunks) => {
      const leaves = chunks.map((text, index) => [String(index), text]);
      const { root } = StandardMerkleTree.of(leaves, ['string', 'string']);
      expect([quoteRootOfText(chunks.join('')), rootWithSplitPairs(chunks.join(''))]).toEqual([root, root]);
    }),
  );
});

test.each(quoteVectors.vectors)('counts by the rule of public tools as well: $name', (vector) => {
  const given = readGivenText(vectorText(vector));
  const roots = [vector.qvRoot, vector.naive46Root, `0x${'0'.repeat(64)}`] as Hex[];
  expect(roots.map((root) => hasQuoteRoot(given, root))).toEqual([true, true, false]);
});

test('does not exist for a text without characters', () => {
  expect([quoteRootOfText(''), rootWithSplitPairs('')]).toEqual([undefined, undefined]);
});
