import type { LaneState, Queue } from '../lane/lane.ts';
import { openOrReadLane } from '../lane/lane-records.ts';
import { type LaneServices, laneServices } from '../lane/lane-services.ts';
import { waitingQueues } from '../lane/queue-records.ts';
import { type SenderLease, senderLease } from '../lane/sender-lease.ts';
import { queuesOf } from '../lane/served-queues.ts';
import { tryStartLaneOf } from '../lane/start-lane.ts';
import type { Services } from '../services.ts';
import { dispatchQueue, freeSlots } from './dispatch-queue.ts';

export interface LaneDispatch {
  readonly state: LaneState;
  /** Whether an error or another sender may have prevented some operations from being tried. */
  readonly isInterrupted: boolean;
}

/**
 * Dispatches all queues of a lane, one sender at a time. Several queues take turns: a turn sends at most one
 * transaction, and the next nonce selects the queue. A failing queue is logged and does not delay the others.
 */
export async function dispatchLane(
  services: LaneServices,
  initialState: LaneState,
  queues: readonly Queue[],
  lease: SenderLease = senderLease(services),
): Promise<LaneDispatch> {
  const limit = queues.length > 1 ? 1 : Number.POSITIVE_INFINITY;
  let waiting = queues;
  let [state, isInterrupted] = [initialState, false];
  while (waiting.length > 0) {
    const first = state.nextNonce % waiting.length;
    const queue = waiting[first] as Queue;
    const others = waiting.toSpliced(first, 1);
    try {
      const dispatched = await dispatchQueue(services, queue, state, { limit, lease });
      waiting = dispatched.nextNonce > state.nextNonce && queues.length > 1 ? waiting : others;
      state = dispatched;
    } catch (error) {
      logInterruption(services, queue, error);
      isInterrupted = true;
      waiting = others;
      state = await openOrReadLane(services);
    }
  }
  const isTaken = await lease.release();
  return { state, isInterrupted: isInterrupted || isTaken };
}

/** Dispatches at once after an operation was queued. Errors only cause a delay, so they are logged. */
export async function dispatchNow(services: Services, queue: Queue, lane: Promise<string>): Promise<void> {
  let latest: LaneState | undefined;
  try {
    const senderServices = laneServices(services, await lane);
    let state = await openOrReadLane(senderServices);
    const queues = queuesOf(senderServices, state);
    latest = state;
    for (let isWaiting = true; isWaiting && freeSlots(senderServices, queue, state) > 0; ) {
      const lease = senderLease(senderServices);
      // Takes the lease while the queue is read. `dispatchLane` handles a failure when it needs the lease.
      lease.take().catch(() => undefined);
      const dispatched = await dispatchLane(senderServices, state, queues, lease);
      const hasSent = dispatched.state.nextNonce > state.nextNonce && !dispatched.isInterrupted;
      state = dispatched.state;
      latest = dispatched.isInterrupted ? undefined : state;
      // If another process queued an operation meanwhile, it found the lease taken and relies on this process.
      isWaiting = hasSent && (await waitingQueues(services.records, queues)).length > 0;
    }
  } catch (error) {
    logInterruption(services, queue, error);
  }
  await tryStartLaneOf(services, queue, latest);
}

function logInterruption({ log }: Services, { chainId, delegateAddress }: Queue, error: unknown): void {
  log.error('dispatch interrupted', error, { chainId, delegateAddress });
}
