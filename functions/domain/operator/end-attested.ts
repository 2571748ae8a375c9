import type { LaneState } from '../lane/lane.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { listOperations } from '../lane/queue-records.ts';
import { queuesOf } from '../lane/served-queues.ts';
import { candidatesOf, type QueuedCandidates } from '../operation/candidates.ts';
import { dropOperation } from '../operation/drop-operations.ts';

/** Limit of operations that an operator's command reads of a queue; a lane never reads as many. */
const maxQueued = 100_000;

/** Operations whose attestations are read at once. */
const pageSize = 96;

/**
 * Ends the commits and reveals in the lane's queues whose content the registry already holds. Transactions that the lane
 * does not know may have attested it. A commit of revealed content would succeed again to no effect, and a reveal that
 * nothing sends any more, because its key was revoked, would be given up.
 */
export async function endAttested(services: LaneServices, state: LaneState): Promise<void> {
  for (const queue of queuesOf(services, state)) {
    const operations = await listOperations(services, queue, maxQueued);
    const attesting = operations.filter(({ kind }) => kind !== 'link');
    for (let first = 0; first < attesting.length; first += pageSize) {
      const page = attesting.slice(first, first + pageSize);
      await endAll(services, await candidatesOf(services, state, queue, page));
    }
  }
}

async function endAll(services: LaneServices, { candidates }: QueuedCandidates) {
  const rows = candidates.map(({ row }) => row);
  const registryStates = await services.laneChain.atFinal((view) => view.registryStates(rows));
  const attested = candidates.filter((_, position) => (registryStates[position]?.attestationIndex ?? 0) > 0);
  for (const candidate of attested) await dropOperation(services, candidate, { kind: 'attested' });
}
