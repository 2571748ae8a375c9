import { candidatesOf } from './candidates.ts';
import { dropOperation } from './drop-operation.ts';
import { envelopeLimits } from './envelope.ts';
import type { LaneState, Operation, Queue } from './lane.ts';
import { queuesOf } from './lane-queues.ts';
import type { Chain } from './ports.ts';
import { listOperations } from './queue-records.ts';
import type { Services } from './services.ts';

/** More than ever wait; read for an operator, never by a lane. */
const maxQueued = 100_000;

/**
 * Ends what waits in the lane's queues although the registry holds its content: transactions that the lane does not
 * know may have done it, and a commit of what is revealed would succeed once more, for nothing.
 */
export async function endAttested(services: Services, chain: Chain, state: LaneState): Promise<void> {
  for (const queue of queuesOf(chain, state)) {
    const operations = await listOperations(services.records, queue, undefined, maxQueued);
    const commits = operations.filter(({ kind }) => kind === 'commit');
    for (let first = 0; first < commits.length; first += envelopeLimits.operations) {
      await endAll(services, chain, queue, commits.slice(first, first + envelopeLimits.operations));
    }
  }
}

async function endAll(services: Services, chain: Chain, queue: Queue, commits: readonly Operation[]) {
  const candidates = await candidatesOf(services, queue, commits);
  const standings = await chain.atFinal((view) =>
    Promise.all(candidates.map(({ row }) => view.standing(row))),
  );
  const attested = candidates.filter((_, position) => (standings[position]?.attestationIndex ?? 0) > 0);
  for (const candidate of attested) await dropOperation(services, chain, candidate, { kind: 'attested' });
}
