import type { Chain } from '../chain.ts';
import { CallRevertedError } from '../errors.ts';
import { type LaneState, parseLane, type Queue } from '../lane/lane.ts';
import { changedState, changeState, openOrReadLane } from '../lane/lane-records.ts';
import { sendsFrom } from '../lane/queue-records.ts';
import { laneOf } from '../lane/signers.ts';
import { type Candidate, candidatesOf } from '../operation/candidates.ts';
import type { Services } from '../services.ts';
import { capacityOf, cut, routeOf } from './batch-call.ts';
import { nextTurns, operationName, type Turns } from './round-robin.ts';
import { bindBatch } from './send-batch.ts';

/** One operation that cannot be tried says nothing of the next; two in a row say that it is the chain. */
const maxErrorsInRow = 2;

/** A batch that reverts as a whole may be more than the node tries, so a part of it is tried: the next one so small. */
const smallerBy = 8;

/** Operations that cannot go, of which one pump reads and asks no more: the next one looks behind them. */
const maxSkipped = 192;

/** Milliseconds after which a pump asks about no more: a function that is ended in the middle of it begins anew. */
const timeLimitMilliseconds = 20_000;

/** What bounds a pump. */
export interface Pump {
  /** Transactions; without it, as many as there is room for. */
  readonly most?: number | undefined;
  /** By name: operations that could not go a moment ago, and stay queued; the pump adds to them. */
  readonly skipped: Set<string>;
}

/** A queue being pumped into its lane. */
interface Pumping {
  readonly services: Services;
  readonly chain: Chain;
  readonly queue: Queue;
  /** Operations that one transaction holds. */
  readonly capacity: number;
  readonly skipped: Set<string>;
  /** Milliseconds since 1970. */
  readonly until: number;
  /** Of the operation that was skipped last. */
  lastSkipped: string | undefined;
}

/** Where a round ended: without a state, somebody else changed the lane, and all begins anew with what it is now. */
interface Round {
  readonly state: LaneState | undefined;
  /** Nothing more can be bound for now. */
  readonly ended: boolean;
}

/**
 * Binds, signs and sends operations of a queue as long as its lane has room, in the invocation of whoever calls.
 *
 * @param known the lane's state, if it was read after the last operation was queued
 * @returns the lane's state after it
 */
export async function pump(
  services: Services,
  queue: Queue,
  known?: LaneState,
  { most = Number.POSITIVE_INFINITY, skipped }: Pump = { skipped: new Set() },
): Promise<LaneState> {
  const chain = services.chain(queue.chainId);
  const lane = known?.lane ?? (await laneOf(services, queue));
  const { signerAddress } = parseLane(lane);
  const capacity = capacityOf(routeOf(queue.delegateAddress, signerAddress));
  const until = services.now().getTime() + timeLimitMilliseconds;
  const pumping: Pumping = { services, chain, queue, capacity, skipped, until, lastSkipped: undefined };
  let state = known ?? (await openOrReadLane(services, chain, lane));
  const end = state.nextNonce + most;
  for (;;) {
    const round = await pumpRound(pumping, state);
    if (round.state && (round.ended || round.state.nextNonce >= end)) return round.state;
    state = round.state ?? (await openOrReadLane(services, chain, lane));
  }
}

/** As `pump`; what goes wrong is only logged, because it delays and loses nothing. */
export async function pumpOrLeave(
  services: Services,
  queue: Queue,
  known?: LaneState,
  bounds?: Pump,
): Promise<LaneState | undefined> {
  try {
    return await pump(services, queue, known, bounds);
  } catch (error) {
    const { chainId, delegateAddress } = queue;
    services.log.error('pump interrupted', error, { chainId, delegateAddress });
    return undefined;
  }
}

/** How many more transactions the lane may have unmined. */
function roomFor(queue: Queue, state: LaneState, { settings }: Chain): number {
  const { paused, nextNonce, minedNonce } = state;
  const mayBind = paused === undefined && sendsFrom(state, queue);
  return mayBind ? settings.maxInFlight - (nextNonce - minedNonce) : 0;
}

/** Looks at the queue once, and binds what it found. */
async function pumpRound(pumping: Pumping, state: LaneState): Promise<Round> {
  const { services, chain, queue, capacity, skipped } = pumping;
  const room = roomFor(queue, state, chain);
  if (room <= 0) return { state, ended: true };
  if (skipped.size >= maxSkipped || services.now().getTime() >= pumping.until) {
    return { state: await passOn(pumping, state), ended: true };
  }
  // Where one cannot go, another can: so many are looked at, though only one transaction is made of them.
  const limit = Math.max(capacity, room, maxErrorsInRow);
  const last = state.lastOrganizationIds?.[queue.delegateAddress];
  const turns = await nextTurns(services.records, { queue, lastOrganizationId: last, limit, skipped });
  if (turns.operations.length === 0) return { state, ended: true };
  const candidates = await candidatesOf(services, queue, turns.operations);
  return bindOne(pumping, state, candidates, { ...turns, isLast: turns.operations.length < limit });
}

/** Who could not go had its turn: the next look begins behind. */
async function passOn({ services, queue, lastSkipped }: Pumping, state: LaneState): Promise<LaneState> {
  if (lastSkipped === undefined) return state;
  const lastOrganizationIds = { ...state.lastOrganizationIds, [queue.delegateAddress]: lastSkipped };
  const fields = { lastOrganizationIds };
  return (await services.records.update(changeState(state, fields))) ? changedState(state, fields) : state;
}

function skip(pumping: Pumping, unready: readonly Candidate[]): void {
  for (const { operation } of unready) {
    pumping.skipped.add(operationName(operation));
    pumping.lastSkipped = operation.organizationId;
  }
}

/** Binds one transaction: what was queued meanwhile has its turn in the next, after another look. */
async function bindOne(
  pumping: Pumping,
  read: LaneState,
  candidates: readonly Candidate[],
  turns: Turns & { readonly isLast: boolean },
): Promise<Round> {
  const { services, chain, queue, capacity } = pumping;
  let state = read;
  let errorsInRow = 0;
  let rest = candidates;
  let most = capacity;
  while (rest.length > 0 && state.nextNonce === read.nextNonce) {
    const batch = cut(rest, most);
    try {
      const turn = await bindBatch(services, chain, { state, queue, batch, waiting: rest, turns });
      if (!turn) return { state: undefined, ended: false };
      if (turn.isShort) return { state: turn.state, ended: true };
      state = turn.state;
      skip(pumping, turn.unready);
      rest = rest.filter((candidate) => !turn.handled.includes(candidate));
      errorsInRow = 0;
    } catch (error) {
      most = Math.ceil(batch.length / smallerBy);
      if (batch.length > 1 && error instanceof CallRevertedError) continue;
      if (batch.length > 1 || ++errorsInRow >= maxErrorsInRow || rest.length === 1) throw error;
      skip(pumping, batch);
      rest = rest.slice(batch.length);
    }
  }
  return { state, ended: turns.isLast && rest.length === 0 };
}
