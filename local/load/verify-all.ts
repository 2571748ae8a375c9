import type { Attestation } from 'imprimatur-client';
import { referenceOf } from 'imprimatur-client';
import { verify } from 'imprimatur-verifier';
import type { LaneCheck } from '../on-chain/check-lane.ts';
import { runConcurrently } from '../on-chain/run-concurrently.ts';

/** Attestations that are verified at once. */
const atOnce = 8;

/** Verifies each attestation, as the service answers it, by its article and a node alone. */
export async function verifyAll(
  rpcUrl: string,
  attestations: readonly Attestation[],
  articles: readonly string[],
): Promise<LaneCheck> {
  const pairs = attestations.map((attestation, position) => ({ attestation, article: articles[position] }));
  const verdicts = await runConcurrently(pairs, atOnce, async ({ attestation, article }) => {
    const { id, attestationIndex } = attestation;
    if (attestationIndex === undefined) return `${id}: has no index`;
    const reference = referenceOf({ ...attestation, attestationIndex });
    const text = new TextEncoder().encode(article);
    const { outcome, reason } = await verify(reference, { providers: [rpcUrl], text });
    return outcome === 'verified' ? undefined : `${id}: ${outcome}, ${reason}`;
  });
  const wrong = verdicts.filter((verdict) => verdict !== undefined);
  return {
    statement: 'the independent verifier says of each article that it is verified',
    passed: wrong.length === 0,
    detail: wrong.length === 0 ? `${attestations.length} articles` : wrong.slice(0, 5).join('; '),
  };
}
