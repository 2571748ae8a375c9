import { readFileSync } from 'node:fs';
import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import { expect, test } from 'vitest';
import { parseQuoteProof, type QuoteProof, QuoteProofInvalidError } from '../../src/verifier.ts';

interface Vector {
  readonly name: string;
  readonly root: string;
  readonly holds: boolean;
  readonly proof: QuoteProof;
}

const file = new URL('../../../../test/vectors/quote-proof.json', import.meta.url);
const { vectors }: { readonly vectors: readonly Vector[] } = JSON.parse(readFileSync(file, 'utf8'));

function rootOf(proof: QuoteProof): string | undefined {
  try {
    return parseQuoteProof(proof).root;
  } catch (error) {
    if (error instanceof QuoteProofInvalidError) return undefined;
    throw error;
  }
}

test.each(vectors)('$name: holds $holds', ({ root, holds, proof }) => {
  expect(rootOf(proof) === root).toBe(holds);
});

test.each(vectors.filter(({ holds }) => holds))(
  'the OpenZeppelin library agrees: $name',
  ({ root, proof }) => {
    for (const { value, proof: siblings } of proof.proof)
      expect(StandardMerkleTree.verify(root, ['string', 'string'], [...value], [...siblings])).toBe(true);
  },
);
