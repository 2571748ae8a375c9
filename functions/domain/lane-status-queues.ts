import type { LaneState, Queue } from './lane.ts';
import { queuesOf } from './lane-queues.ts';
import type { QueueLength } from './lane-status.ts';
import type { Chain } from './ports.ts';
import { listOperations } from './queue-records.ts';
import type { Records } from './records.ts';
import type { Services } from './services.ts';
import { laneOf } from './signers.ts';

/** Operations of a queue that are counted; whether there are 1,000 or 100,000 more changes nothing for an operator. */
const maxCounted = 1_000;

/** The queues that the lane is the one to send from now. */
export async function queueLengths(
  services: Services,
  chain: Chain,
  state: Pick<LaneState, 'lane' | 'delegates'>,
): Promise<QueueLength[]> {
  const lengths = await Promise.all(
    queuesOf(chain, state).map(async (queue) =>
      (await laneOf(services, queue)) === state.lane ? [await queueLength(services.records, queue)] : [],
    ),
  );
  return lengths.flat();
}

async function queueLength(records: Records, queue: Queue): Promise<QueueLength> {
  const operations = await listOperations(records, queue, undefined, maxCounted + 1);
  const counted = operations.slice(0, maxCounted);
  const [oldestQueuedAt = null] = counted.map(({ queuedAt }) => queuedAt).sort();
  return {
    delegateAddress: queue.delegateAddress,
    length: counted.length,
    more: operations.length > maxCounted,
    oldestQueuedAt,
  };
}
