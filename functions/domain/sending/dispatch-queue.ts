import { secondsSince } from '../age-limits.ts';
import { LostRaceError } from '../errors.ts';
import type { LaneState, Operation, Queue } from '../lane/lane.ts';
import { openOrReadLane, writeState } from '../lane/lane-records.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { firstRound, listOperations, maxPostponeSeconds, postpone } from '../lane/queue-records.ts';
import type { SenderLease } from '../lane/sender-lease.ts';
import { maySendFrom } from '../lane/served-queues.ts';
import { payloadRecord, transactionRecord } from '../lane/transaction-records.ts';
import { type Candidate, candidatesOf } from '../operation/candidates.ts';
import { catchRace } from '../records.ts';
import { batchLimits, capacityOf, nextBatch, routeOf, shrinkFactor } from './batch-call.ts';
import { sendBatch } from './send-batch.ts';

/** Consecutive errors that end a dispatch. One may be the operation's fault; two indicate that the chain fails. */
const maxErrorsInRow = 2;

/** Milliseconds after which a dispatch reads no more operations, so that the function does not time out. */
const timeLimitMilliseconds = 20_000;

/** Wait before the next attempt, as a share of the time for which the operation has been unready. */
const unreadyShare = 1 / 4;

interface Dispatch extends LaneServices {
  readonly queue: Queue;
  readonly lease: SenderLease | undefined;
  /** The dispatch ends when the lane's next nonce reaches this value. */
  readonly endNonce: number;
  /** This dispatch does not retry operations that are postponed beyond this time. */
  readonly startedAt: Date;
}

/** Sends a queue's operations in order. Unready ones are postponed and do not delay others. */
export async function dispatchQueue(
  services: LaneServices,
  queue: Queue,
  initialState: LaneState,
  { limit = Number.POSITIVE_INFINITY, lease }: { limit?: number; lease?: SenderLease } = {},
): Promise<LaneState> {
  let state = initialState;
  const endNonce = state.nextNonce + limit;
  const dispatch: Dispatch = { ...services, queue, lease, endNonce, startedAt: services.now() };
  for (;;) {
    const page = await catchRace(dispatchPage(dispatch, state));
    if (page?.ended) return page.state;
    state = page ? page.state : await rereadLane(services);
  }
}

/** Reads the lane again. Pauses it if a restore left records at its next nonce, which block that nonce. */
async function rereadLane(services: LaneServices): Promise<LaneState> {
  const state = await openOrReadLane(services);
  const { lane, nextNonce: nonce } = state;
  const keys = [transactionRecord(lane, nonce), payloadRecord(lane, nonce)];
  const existing = await Promise.all(keys.map((key) => services.records.get(key)));
  if (existing.every((fields) => fields === undefined)) return state;
  const paused = `there are records of transaction ${nonce}, although the lane has not assigned it: use lane resync`;
  return (await catchRace(writeState(services, state, { paused }))) ?? rereadLane(services);
}

/** Sends the operations of one page. `ended` means that nothing more can be sent now. */
async function dispatchPage(dispatch: Dispatch, initialState: LaneState) {
  const { queue, lease, laneChain } = dispatch;
  const route = routeOf(queue.delegateAddress, dispatch.signerAddress);
  const slotsLeft = (state: LaneState) =>
    Math.min(dispatch.endNonce - state.nextNonce, freeSlots(dispatch, queue, state));
  let state = initialState;
  const isLate = dispatch.now().getTime() - dispatch.startedAt.getTime() >= timeLimitMilliseconds;
  if (isLate || slotsLeft(state) <= 0) return { state, ended: true };
  const isBatched = await laneChain.canBatch(laneChain.settings.registryAddress);
  // Reads more than one batch, because some operations cannot be sent, and members of a batch need not be adjacent.
  const minCount = isBatched ? 2 * batchLimits.members : Math.max(capacityOf(route), maxErrorsInRow);
  const limit = Math.max(minCount, freeSlots(dispatch, queue, state));
  const list = (from?: string) => listOperations(dispatch, queue, limit, dispatch.startedAt, from);
  const inOrder = await list();
  // If reveals fill the page, operations of rounds are read separately, so that they get their share of nonces.
  const placedReveals = inOrder.length < limit ? [] : inOrder.filter(hasPlace);
  const operations = placedReveals.length > 0 ? [...placedReveals, ...(await list(firstRound))] : inOrder;
  const { candidates, unsendable } = await candidatesOf(dispatch, state, queue, operations);
  await postponeUnready(dispatch, unsendable);
  if (candidates.length > 0 && lease && !(await lease.take())) return { state, ended: true };
  let errorsInRow = 0;
  let rest = candidates;
  let size = Number.POSITIVE_INFINITY;
  while (rest.length > 0 && slotsLeft(state) > 0) {
    rest = orderForNonce(rest, state.nextNonce);
    const next = await nextBatch(laneChain, rest, route, size);
    try {
      const result = await sendBatch(dispatch, { ...next, state, queue, waiting: rest });
      state = result.state;
      await postponeUnready(dispatch, result.unready);
      if (result.handled.length === 0) return { state, ended: true };
      rest = rest.filter((candidate) => !result.handled.includes(candidate));
      errorsInRow = 0;
      size = Number.POSITIVE_INFINITY;
    } catch (error) {
      if (error instanceof LostRaceError) throw error;
      const { length } = next.batch;
      size = Math.ceil(length / shrinkFactor);
      if (length > 1) continue;
      const [failed, ...others] = rest;
      if (!failed || ++errorsInRow >= maxErrorsInRow || others.length === 0) throw error;
      // The chain may be the cause, so the operation does not count as unready.
      await postponeFor(dispatch, failed.operation, laneChain.settings.blockTimeSeconds);
      rest = others;
    }
  }
  return { state, ended: inOrder.length < limit && rest.length === 0 };
}

const hasPlace = ({ place }: Operation): boolean => place !== undefined;

/** At even nonces, placed reveals come first; at odd ones, operations with a round. So neither delays the other. */
function orderForNonce(candidates: readonly Candidate[], nonce: number): Candidate[] {
  const isFirst = ({ operation }: Candidate) => hasPlace(operation) === (nonce % 2 === 0);
  return [...candidates.filter(isFirst), ...candidates.filter((candidate) => !isFirst(candidate))];
}

export function freeSlots({ laneChain }: LaneServices, queue: Queue, state: LaneState): number {
  const { settings, settingsUnread } = laneChain;
  const { paused, nextNonce, minedNonce } = state;
  const maySend = !settingsUnread && paused === undefined && maySendFrom(state, queue);
  return maySend ? settings.maxInFlight - (nextNonce - minedNonce) : 0;
}

/** Postpones unready operations: first until the next block, then for a share of the time they have been unready. */
async function postponeUnready(dispatch: Dispatch, unready: readonly Operation[]): Promise<void> {
  const now = dispatch.now();
  const { blockTimeSeconds } = dispatch.laneChain.settings;
  const postponed = unready.map((operation) => {
    const { unreadySince = now.toISOString() } = operation;
    const seconds = Math.max(blockTimeSeconds, secondsSince(unreadySince, now) * unreadyShare);
    return postponeFor(dispatch, { ...operation, unreadySince }, Math.min(seconds, maxPostponeSeconds));
  });
  await Promise.all(postponed);
}

async function postponeFor({ records, now, queue }: Dispatch, operation: Operation, seconds: number) {
  const retryAt = new Date(now().getTime() + seconds * 1000).toISOString();
  await records.update(postpone(queue, { ...operation, retryAt }));
}
