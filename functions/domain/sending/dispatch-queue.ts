import type { Chain } from '../chain.ts';
import { CallRevertedError } from '../errors.ts';
import { type LaneState, type Operation, parseLane, type Queue } from '../lane/lane.ts';
import { changedState, changeState, openOrReadLane } from '../lane/lane-records.ts';
import { sendsFrom } from '../lane/queue-records.ts';
import type { SenderLease } from '../lane/sender-lease.ts';
import { laneOf } from '../lane/signers.ts';
import { type Candidate, candidatesOf } from '../operation/candidates.ts';
import { type LostRace, lostRace } from '../records.ts';
import type { Services } from '../services.ts';
import { batchLimits, capacityOf, cut, routeOf } from './batch-call.ts';
import { nextRoundRobin, operationName, type RoundRobin } from './round-robin.ts';
import { sendBatch } from './send-batch.ts';

/**
 * Errors in a row that end a dispatch: one operation that cannot be simulated may be at fault itself, two mean that the
 * chain is.
 */
const maxErrorsInRow = 2;

/** A batch that reverts as a whole may be more than the node simulates: the next one is smaller by this factor. */
const smallerBy = 8;

/**
 * Limit of operations that one dispatch reads and diagnoses without sending them. The next dispatch begins behind them.
 */
const maxSkipped = 2 * batchLimits.operations;

/** Time after which a dispatch reads no further operations: a function that times out would have to start over. */
const timeLimitMilliseconds = 20_000;

/** Bounds of a dispatch. */
export interface DispatchBounds {
  /** Transactions; without it, as many as there is room for. */
  readonly most?: number | undefined;
  /** Names of operations that could not be sent a moment ago and stay queued. The dispatch adds to them. */
  readonly skipped: Set<string>;
  /** Lease without which nothing is sent. */
  readonly lease?: SenderLease;
}

/** A queue being dispatched to its lane. */
interface Dispatch {
  readonly services: Services;
  readonly chain: Chain;
  readonly queue: Queue;
  /** Operations that one transaction holds. */
  readonly capacity: number;
  readonly skipped: Set<string>;
  readonly lease: SenderLease | undefined;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** Organisation of the operation that was skipped last. */
  lastSkipped: string | undefined;
}

/** The end of a round of a dispatch. */
interface Round {
  readonly state: LaneState;
  /** Nothing more can be sent for now. */
  readonly ended: boolean;
}

/** Candidates that a round found, in the order in which they are sent. */
interface FoundCandidates {
  readonly candidates: readonly Candidate[];
  readonly roundRobin: RoundRobin;
  /** No others are queued. */
  readonly isLast: boolean;
}

/**
 * Sends operations of a queue as long as its lane has room, in the invocation that calls it.
 *
 * @param known the lane's state, if it was read after the last operation was queued
 * @returns the lane's state after it
 */
export async function dispatchQueue(
  services: Services,
  queue: Queue,
  known?: LaneState,
  { most = Number.POSITIVE_INFINITY, skipped, lease }: DispatchBounds = { skipped: new Set() },
): Promise<LaneState> {
  const chain = services.chain(queue.chainId);
  const lane = known?.lane ?? (await laneOf(services, queue));
  const capacity = capacityOf(routeOf(queue.delegateAddress, parseLane(lane).signerAddress));
  const until = services.now().getTime() + timeLimitMilliseconds;
  const bounds = { skipped, lease, until };
  const dispatch: Dispatch = { services, chain, queue, capacity, ...bounds, lastSkipped: undefined };
  let state = known ?? (await openOrReadLane(services, chain, lane));
  const end = state.nextNonce + most;
  for (;;) {
    const round = await dispatchRound(dispatch, state);
    if (round !== lostRace && (round.ended || round.state.nextNonce >= end)) return round.state;
    state = round === lostRace ? await openOrReadLane(services, chain, lane) : round.state;
  }
}

/** Reads the queue once and sends one transaction. Operations queued meanwhile are found by the next round. */
async function dispatchRound(dispatch: Dispatch, read: LaneState): Promise<Round | LostRace> {
  const { services, chain, queue, capacity } = dispatch;
  const found = await findCandidates(dispatch, read);
  if ('ended' in found) return found;
  if (dispatch.lease && !(await dispatch.lease.take())) return { state: read, ended: true };
  const { roundRobin, isLast } = found;
  let state = read;
  let errorsInRow = 0;
  let rest = found.candidates;
  let most = capacity;
  while (rest.length > 0 && state.nextNonce === read.nextNonce) {
    const batch = cut(rest, most);
    try {
      const result = await sendBatch(services, chain, { state, queue, batch, waiting: rest, roundRobin });
      if (result === lostRace) return lostRace;
      if (result.isShort) return { state: result.state, ended: true };
      state = result.state;
      skip(dispatch, result.unready.map(operationOf));
      rest = rest.filter((candidate) => !result.handled.includes(candidate));
      errorsInRow = 0;
    } catch (error) {
      most = Math.ceil(batch.length / smallerBy);
      if (batch.length > 1 && error instanceof CallRevertedError) continue;
      if (batch.length > 1 || ++errorsInRow >= maxErrorsInRow || rest.length === 1) throw error;
      skip(dispatch, batch.map(operationOf));
      rest = rest.slice(batch.length);
    }
  }
  return { state, ended: isLast && rest.length === 0 };
}

async function findCandidates(dispatch: Dispatch, state: LaneState): Promise<FoundCandidates | Round> {
  const { services, chain, queue, capacity, skipped } = dispatch;
  const room = roomFor(queue, state, chain);
  if (room <= 0) return { state, ended: true };
  if (skipped.size >= maxSkipped || services.now().getTime() >= dispatch.until) {
    return { state: await passOn(dispatch, state), ended: true };
  }
  // If one cannot be sent, another may be: this many are read, although only one transaction is made of them.
  const limit = Math.max(capacity, room, maxErrorsInRow);
  const lastOrganizationId = state.lastOrganizationIds?.[queue.delegateAddress];
  const roundRobin = await nextRoundRobin(services.records, { queue, lastOrganizationId, limit, skipped });
  const { operations } = roundRobin;
  if (operations.length === 0) return { state, ended: true };
  const { candidates, unsendable } = await candidatesOf(services, state, queue, operations);
  skip(dispatch, unsendable);
  return { candidates, roundRobin, isLast: operations.length < limit };
}

/** Returns the number of further transactions of a queue that its lane may have unmined. */
export function roomFor(queue: Queue, state: LaneState, { settings }: Chain): number {
  const { paused, nextNonce, minedNonce } = state;
  const maySend = paused === undefined && sendsFrom(state, queue);
  return maySend ? settings.maxInFlight - (nextNonce - minedNonce) : 0;
}

/** Records that the skipped organisations were served: the next dispatch begins behind them. */
async function passOn({ services, queue, lastSkipped }: Dispatch, state: LaneState): Promise<LaneState> {
  if (lastSkipped === undefined) return state;
  const lastOrganizationIds = { ...state.lastOrganizationIds, [queue.delegateAddress]: lastSkipped };
  const fields = { lastOrganizationIds };
  return (await services.records.update(changeState(state, fields))) ? changedState(state, fields) : state;
}

const operationOf = ({ operation }: Candidate): Operation => operation;

function skip(dispatch: Dispatch, unready: readonly Operation[]): void {
  for (const operation of unready) {
    dispatch.skipped.add(operationName(operation));
    dispatch.lastSkipped = operation.organizationId;
  }
}
