import type { Candidate } from './candidates.ts';
import { dropOperation } from './drop-operation.ts';
import type { Chain } from './ports.ts';
import type { Services } from './services.ts';
import { judge } from './verdict.ts';

/**
 * Ends the operations that a final block shows refused or done already.
 *
 * @returns the others, which are not ready yet: they stay queued
 */
export async function judgeFailures(
  services: Services,
  chain: Chain,
  failing: readonly Candidate[],
): Promise<Candidate[]> {
  const judged = await Promise.all(
    failing.map(async (candidate) => {
      const { row, operation, call } = candidate;
      const verdict = await judge(chain, row, operation, call);
      if (verdict.kind !== 'unknown') await dropOperation(services, chain, candidate, verdict);
      return { candidate, isReady: verdict.kind !== 'unknown' };
    }),
  );
  return judged.filter(({ isReady }) => !isReady).map(({ candidate }) => candidate);
}
