import { StandardMerkleTree } from '@openzeppelin/merkle-tree';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteTreeOf } from '../../src/text/quote-tree.ts';
import {
  AttestedText,
  parseQuoteProof,
  type QuoteProof,
  QuoteProofInvalidError,
} from '../../src/verifier.ts';
import { mutations } from './mutations.ts';
import { type Quotable, quotable, referenceTo } from './quotable.ts';

const proofOf = ({ text, pieces }: Quotable): QuoteProof =>
  new AttestedText(referenceTo(text), text).quote(pieces);

/** The root that a proof leads to; `undefined` for one that is refused. */
function rootOf(proof: unknown): string | undefined {
  try {
    return parseQuoteProof(JSON.stringify(proof)).root;
  } catch (error) {
    if (error instanceof QuoteProofInvalidError) return undefined;
    throw error;
  }
}

test('10,000 random proofs hold', () => {
  fc.assert(
    fc.property(quotable, (given) => {
      const proof = proofOf(given);
      expect(rootOf(proof)).toBe(quoteTreeOf(given.text).root);
      expect(proof.segments.map(({ text }) => text)).toEqual(given.pieces);
    }),
    { numRuns: 10_000 },
  );
});

test('random proofs hold for the OpenZeppelin library, which public tools check with', () => {
  fc.assert(
    fc.property(quotable, (given) => {
      const { proof } = proofOf(given);
      const root = quoteTreeOf(given.text).root ?? '';
      for (const { value, proof: siblings } of proof)
        expect(StandardMerkleTree.verify(root, ['string', 'string'], [...value], [...siblings])).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('10,000 mutated proofs fail', () => {
  const tried = new Map<string, number>();
  fc.assert(
    fc.property(quotable, fc.constantFrom(...Object.keys(mutations)), fc.nat(), (given, name, place) => {
      const proof = proofOf(given);
      const mutated = structuredClone(proof) as Parameters<(typeof mutations)[string]>[0];
      const changes = mutations[name]?.(mutated, place) === true;
      fc.pre(changes && JSON.stringify(mutated) !== JSON.stringify(proof));
      tried.set(name, (tried.get(name) ?? 0) + 1);
      expect(rootOf(mutated)).not.toBe(quoteTreeOf(given.text).root);
    }),
    { numRuns: 10_000 },
  );
  expect([...tried.keys()].sort()).toEqual(Object.keys(mutations).sort());
});
