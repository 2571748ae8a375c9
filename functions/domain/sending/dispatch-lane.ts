import { type LaneState, parseLane, type Queue } from '../lane/lane.ts';
import { openOrReadLane } from '../lane/lane-records.ts';
import { queuesOf } from '../lane/queue-records.ts';
import { laneOf } from '../lane/signers.ts';
import { tryStartQueue } from '../lane/start-lane.ts';
import type { Services } from '../services.ts';
import { type DispatchBounds, dispatchQueue } from './dispatch-queue.ts';

/** Result of dispatching a lane. After an interruption, operations may wait that were not tried. */
export interface LaneDispatch {
  readonly state: LaneState;
  readonly isInterrupted: boolean;
}

/**
 * Dispatches all queues of a lane as long as it has room. Each queue gets one transaction before any gets its next, and
 * another queue is first each time. A queue that fails is logged and does not hold up the others.
 *
 * @param known the lane's state, if it was read after the last operation was queued
 */
export async function dispatchLane(
  services: Services,
  known: LaneState,
  queues: Queue[],
): Promise<LaneDispatch> {
  const chain = services.chain(parseLane(known.lane).chainId);
  const most = queues.length > 1 ? 1 : undefined;
  // An operation that cannot be sent is diagnosed once, however many transactions are made.
  const bounds = new Map<Queue, DispatchBounds>(queues.map((queue) => [queue, { most, skipped: new Set() }]));
  let waiting = queues;
  let [state, isInterrupted] = [known, false];
  while (waiting.length > 0) {
    const first = state.nextNonce % waiting.length;
    const queue = waiting[first] as Queue;
    const others = waiting.toSpliced(first, 1);
    try {
      const dispatched = await dispatchQueue(services, queue, state, bounds.get(queue));
      waiting = dispatched.nextNonce > state.nextNonce && most ? waiting : others;
      state = dispatched;
    } catch (error) {
      logInterruption(services, queue, error);
      isInterrupted = true;
      waiting = others;
      state = await openOrReadLane(services, chain, known.lane);
    }
  }
  return { state, isInterrupted };
}

/**
 * Dispatches the lane of a queue in the invocation that queued an operation, then makes sure that the lane's execution
 * runs. All of the lane's queues are dispatched, so that a step does not prefer its own queue. Errors are only logged:
 * they delay, and the lane's execution tries again.
 */
export async function dispatchNow(services: Services, queue: Queue): Promise<void> {
  const { chainId, delegateAddress } = queue;
  let reached: LaneState | undefined;
  try {
    const chain = services.chain(chainId);
    const read = await openOrReadLane(services, chain, await laneOf(services, queue));
    const queues = queuesOf(chain, read);
    const isKnown = queues.some((known) => known.delegateAddress === delegateAddress);
    const { state, isInterrupted } = await dispatchLane(
      services,
      read,
      isKnown ? queues : [...queues, queue],
    );
    if (!isInterrupted) reached = state;
  } catch (error) {
    logInterruption(services, queue, error);
  }
  await tryStartQueue(services, queue, reached);
}

function logInterruption({ log }: Services, { chainId, delegateAddress }: Queue, error: unknown): void {
  log.error('pump interrupted', error, { chainId, delegateAddress });
}
