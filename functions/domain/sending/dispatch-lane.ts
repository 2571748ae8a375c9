import { type LaneState, parseLane, type Queue } from '../lane/lane.ts';
import { openOrReadLane } from '../lane/lane-records.ts';
import { queuesOf } from '../lane/queue-records.ts';
import { laneOf } from '../lane/signers.ts';
import type { Services } from '../services.ts';
import { type Pump, pumpOrLeave } from './dispatch-queue.ts';

/** Where pumps left a lane; what an interrupted one left may be all that is owed. */
export interface Pumped {
  readonly state: LaneState;
  readonly isInterrupted: boolean;
}

/**
 * Sends from all queues of a lane as long as it has room. Of several queues each has a transaction before one has its
 * next, and another one is first each time. One that cannot be tried holds up no other.
 *
 * @param known the lane's state, if it was read after the last operation was queued
 */
export async function pumpLane(services: Services, known: LaneState, queues: Queue[]): Promise<Pumped> {
  const chain = services.chain(parseLane(known.lane).chainId);
  const most = queues.length > 1 ? 1 : undefined;
  // Whatever cannot go is asked about once, however many transactions are made.
  const pumps = new Map<Queue, Pump>(queues.map((queue) => [queue, { most, skipped: new Set() }]));
  let waiting = queues;
  let [state, isInterrupted] = [known, false];
  while (waiting.length > 0) {
    const first = state.nextNonce % waiting.length;
    const queue = waiting[first] as Queue;
    const others = waiting.toSpliced(first, 1);
    const pumped = await pumpOrLeave(services, queue, state, pumps.get(queue));
    if (!pumped) isInterrupted = true;
    waiting = pumped && pumped.nextNonce > state.nextNonce && most ? waiting : others;
    state = pumped ?? (await openOrReadLane(services, chain, known.lane));
  }
  return { state, isInterrupted };
}

/**
 * As a turn of the queue's lane does, so that no step takes a place whose turn is another queue's. What goes wrong is
 * only logged, because it delays and loses nothing.
 *
 * @returns the lane's state after it, if that is known
 */
export async function pumpLaneOf(services: Services, queue: Queue): Promise<LaneState | undefined> {
  const { chainId, delegateAddress } = queue;
  try {
    const chain = services.chain(chainId);
    const state = await openOrReadLane(services, chain, await laneOf(services, queue));
    const queues = queuesOf(chain, state);
    const isKnown = queues.some((known) => known.delegateAddress === delegateAddress);
    const pumped = await pumpLane(services, state, isKnown ? queues : [...queues, queue]);
    return pumped.isInterrupted ? undefined : pumped.state;
  } catch (error) {
    services.log.error('pump interrupted', error, { chainId, delegateAddress });
    return undefined;
  }
}
