import { readFileSync } from 'node:fs';
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

interface Vector {
  readonly name: string;
  readonly root: string;
  readonly holds: boolean;
  readonly proof: QuoteProof;
}

const file = new URL('../../../../test/vectors/quote-proof.json', import.meta.url);
const { vectors }: { readonly vectors: readonly Vector[] } = JSON.parse(readFileSync(file, 'utf8'));

test.each(vectors)('$name: holds $holds', ({ root, holds, proof }) => {
  expect(rootOf(proof) === root).toBe(holds);
});
