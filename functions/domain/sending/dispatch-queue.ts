import { secondsSince } from '../age-limits.ts';
import { LostRaceError } from '../errors.ts';
import type { LaneState, Operation, Queue } from '../lane/lane.ts';
import { openOrReadLane, writeState } from '../lane/lane-records.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { firstRound, listOperations, maxPutOffSeconds, postpone } from '../lane/queue-records.ts';
import type { SenderLease } from '../lane/sender-lease.ts';
import { sendsFrom } from '../lane/served-queues.ts';
import { payloadRecord, transactionRecord } from '../lane/transaction-records.ts';
import { type Candidate, candidatesOf } from '../operation/candidates.ts';
import { unlessLost } from '../records.ts';
import { batchLimits, capacityOf, nextBatch, routeOf, smallerBy } from './batch-call.ts';
import { sendBatch } from './send-batch.ts';

/** Consecutive errors that end a dispatch. One may be caused by its operation, two indicate a problem of the chain. */
const maxErrorsInRow = 2;

/** Milliseconds after which a dispatch reads no more operations, so that the function does not time out. */
const timeLimitMilliseconds = 20_000;

/** Wait before the next attempt, as a share of the time for which the operation has been unready. */
const unreadyShare = 1 / 4;

interface Dispatch extends LaneServices {
  readonly queue: Queue;
  readonly lease: SenderLease | undefined;
  /** The dispatch ends when the lane's next nonce reaches this. */
  readonly end: number;
  /** Operations postponed after this time are not retried by this dispatch. */
  readonly begunAt: Date;
}

/** Sends a queue's operations in order. Unready ones are postponed and do not delay others. */
export async function dispatchQueue(
  services: LaneServices,
  queue: Queue,
  known: LaneState,
  { limit = Number.POSITIVE_INFINITY, lease }: { limit?: number; lease?: SenderLease } = {},
): Promise<LaneState> {
  let state = known;
  const end = state.nextNonce + limit;
  const dispatch: Dispatch = { ...services, queue, lease, end, begunAt: services.now() };
  for (;;) {
    const page = await unlessLost(dispatchPage(dispatch, state));
    if (page?.ended) return page.state;
    state = page ? page.state : await readAgain(services);
  }
}

/** Pauses the lane if a restore left records at its next nonce, which therefore cannot be assigned. */
async function readAgain(services: LaneServices): Promise<LaneState> {
  const state = await openOrReadLane(services);
  const { lane, nextNonce: nonce } = state;
  const keys = [transactionRecord(lane, nonce), payloadRecord(lane, nonce)];
  const left = await Promise.all(keys.map((key) => services.records.get(key)));
  if (left.every((fields) => fields === undefined)) return state;
  const paused = `there are records of transaction ${nonce}, although the lane has bound none: use lane resync`;
  return (await unlessLost(writeState(services, state, { paused }))) ?? readAgain(services);
}

/** Sends the operations of one page. `ended` is true if nothing more can be sent now. */
async function dispatchPage(dispatch: Dispatch, read: LaneState) {
  const { queue, lease, laneChain } = dispatch;
  const route = routeOf(queue.delegateAddress, dispatch.signerAddress);
  const slotsIn = (state: LaneState) =>
    Math.min(dispatch.end - state.nextNonce, freeSlots(dispatch, queue, state));
  let state = read;
  const isLate = dispatch.now().getTime() - dispatch.begunAt.getTime() >= timeLimitMilliseconds;
  if (isLate || slotsIn(state) <= 0) return { state, ended: true };
  const isBatched = await laneChain.takesBatches(laneChain.settings.registryAddress);
  // If one operation cannot be sent, another one may be. A batch should be complete even if its members are not first.
  const fewest = isBatched ? 2 * batchLimits.members : Math.max(capacityOf(route), maxErrorsInRow);
  const limit = Math.max(fewest, freeSlots(dispatch, queue, state));
  const list = (from?: string) => listOperations(dispatch, queue, limit, dispatch.begunAt, from);
  const inOrder = await list();
  // If reveals fill the page, operations of rounds are read separately, so that they get their share.
  const placed = inOrder.length < limit ? [] : inOrder.filter(hasPlace);
  const operations = placed.length > 0 ? [...placed, ...(await list(firstRound))] : inOrder;
  const { candidates, unsendable } = await candidatesOf(dispatch, state, queue, operations);
  await putOff(dispatch, unsendable);
  if (candidates.length > 0 && lease && !(await lease.take())) return { state, ended: true };
  let errorsInRow = 0;
  let rest = candidates;
  let size = Number.POSITIVE_INFINITY;
  while (rest.length > 0 && slotsIn(state) > 0) {
    rest = inTurn(rest, state.nextNonce);
    const next = await nextBatch(laneChain, rest, route, size);
    try {
      const result = await sendBatch(dispatch, { ...next, state, queue, waiting: rest });
      state = result.state;
      await putOff(dispatch, result.unready);
      if (result.handled.length === 0) return { state, ended: true };
      rest = rest.filter((candidate) => !result.handled.includes(candidate));
      errorsInRow = 0;
      size = Number.POSITIVE_INFINITY;
    } catch (error) {
      if (error instanceof LostRaceError) throw error;
      const { length } = next.batch;
      size = Math.ceil(length / smallerBy);
      if (length > 1) continue;
      const [failed, ...others] = rest;
      if (!failed || ++errorsInRow >= maxErrorsInRow || others.length === 0) throw error;
      // The chain may be the cause, so the operation does not count as unready.
      await tryLater(dispatch, failed.operation, laneChain.settings.blockTimeSeconds);
      rest = others;
    }
  }
  return { state, ended: inOrder.length < limit && rest.length === 0 };
}

const hasPlace = ({ place }: Operation): boolean => place !== undefined;

/** At even nonces, reveals with a place come first, at odd ones operations in rounds. So neither delays the other. */
function inTurn(candidates: readonly Candidate[], nonce: number): Candidate[] {
  const isFirst = ({ operation }: Candidate) => hasPlace(operation) === (nonce % 2 === 0);
  return [...candidates.filter(isFirst), ...candidates.filter((one) => !isFirst(one))];
}

export function freeSlots({ laneChain }: LaneServices, queue: Queue, state: LaneState): number {
  const { settings, settingsUnread } = laneChain;
  const { paused, nextNonce, minedNonce } = state;
  const maySend = !settingsUnread && paused === undefined && sendsFrom(state, queue);
  return maySend ? settings.maxInFlight - (nextNonce - minedNonce) : 0;
}

/** Postpones unready operations: at first until the next block, then longer the longer they are unready. */
async function putOff(dispatch: Dispatch, unready: readonly Operation[]): Promise<void> {
  const now = dispatch.now();
  const { blockTimeSeconds } = dispatch.laneChain.settings;
  const later = unready.map((operation) => {
    const { unreadySince = now.toISOString() } = operation;
    const seconds = Math.max(blockTimeSeconds, secondsSince(unreadySince, now) * unreadyShare);
    return tryLater(dispatch, { ...operation, unreadySince }, Math.min(seconds, maxPutOffSeconds));
  });
  await Promise.all(later);
}

async function tryLater({ records, now, queue }: Dispatch, operation: Operation, seconds: number) {
  const retryAt = new Date(now().getTime() + seconds * 1000).toISOString();
  await records.update(postpone(queue, { ...operation, retryAt }));
}
