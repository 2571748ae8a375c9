import { bindBatch } from './bind-batch.ts';
import { type Candidate, candidatesOf, cut } from './candidates.ts';
import { capacityOf, routeOf } from './envelope.ts';
import { CallRevertedError } from './errors.ts';
import { type LaneState, parseLane, type Queue } from './lane.ts';
import { laneState } from './lane-opening.ts';
import { sendsFrom } from './lane-queues.ts';
import type { Chain } from './ports.ts';
import type { Services } from './services.ts';
import { laneOf } from './signers.ts';
import { nextTurns, operationName, type Turns } from './turns.ts';

/** One operation that cannot be tried says nothing of the next; two in a row say that it is the chain. */
const maxErrorsInRow = 2;

/** A batch that reverts as a whole may be more than the node tries, so a part of it is tried: the next one so small. */
const smallerBy = 8;

/** Operations that cannot go, of which one pump reads and asks no more: the next one looks again. */
const maxSkipped = 192;

/** A queue being pumped into its lane. */
interface Pumping {
  readonly services: Services;
  readonly chain: Chain;
  readonly queue: Queue;
  /** Operations that one transaction holds. */
  readonly capacity: number;
  /** By name: operations that could not go in this pump, and stay queued. */
  readonly skipped: Set<string>;
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
 * @param most transactions; without it, as many as there is room for
 * @returns the lane's state after it
 */
export async function pump(
  services: Services,
  queue: Queue,
  known?: LaneState,
  most = Number.POSITIVE_INFINITY,
): Promise<LaneState> {
  const chain = services.chain(queue.chainId);
  const lane = known?.lane ?? (await laneOf(services, queue));
  const { signerAddress } = parseLane(lane);
  const capacity = capacityOf(routeOf(queue.delegateAddress, signerAddress));
  const pumping: Pumping = { services, chain, queue, capacity, skipped: new Set() };
  let state = known ?? (await laneState(services, chain, lane));
  const end = state.nextNonce + most;
  for (;;) {
    const round = await pumpRound(pumping, state);
    if (round.state && (round.ended || round.state.nextNonce >= end)) return round.state;
    state = round.state ?? (await laneState(services, chain, lane));
  }
}

/** As `pump`; what goes wrong is only logged, because it delays and loses nothing. */
export async function pumpOrLeave(
  services: Services,
  queue: Queue,
  known?: LaneState,
  most?: number,
): Promise<LaneState | undefined> {
  try {
    return await pump(services, queue, known, most);
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
  if (room <= 0 || skipped.size >= maxSkipped) return { state, ended: true };
  // Where one cannot go, another can: so many are looked at, though only one transaction is made of them.
  const limit = Math.max(capacity, room);
  const last = state.lastOrganizationIds?.[queue.delegateAddress];
  const turns = await nextTurns(services.records, { queue, lastOrganizationId: last, limit, skipped });
  if (turns.operations.length === 0) return { state, ended: true };
  const candidates = await candidatesOf(services, queue, turns.operations);
  return bindOne(pumping, state, candidates, { ...turns, isLast: turns.operations.length < limit });
}

/** Binds one transaction: what was queued meanwhile has its turn in the next, after another look. */
async function bindOne(
  { services, chain, queue, capacity, skipped }: Pumping,
  read: LaneState,
  candidates: readonly Candidate[],
  turns: Turns & { readonly isLast: boolean },
): Promise<Round> {
  let state = read;
  let errorsInRow = 0;
  let rest = candidates;
  let most = capacity;
  while (rest.length > 0 && state.nextNonce === read.nextNonce) {
    const batch = cut(rest, most);
    try {
      const turn = await bindBatch(services, chain, { state, queue, batch, turns });
      if (!turn) return { state: undefined, ended: false };
      if (turn.isShort) return { state: turn.state, ended: true };
      state = turn.state;
      for (const { operation } of turn.unready) skipped.add(operationName(operation));
      rest = rest.filter((candidate) => !turn.handled.includes(candidate));
      errorsInRow = 0;
    } catch (error) {
      most = Math.ceil(batch.length / smallerBy);
      if (batch.length > 1 && error instanceof CallRevertedError) continue;
      if (batch.length > 1 || ++errorsInRow >= maxErrorsInRow || rest.length === 1) throw error;
      for (const { operation } of batch) skipped.add(operationName(operation));
      rest = rest.slice(batch.length);
    }
  }
  return { state, ended: turns.isLast && rest.length === 0 };
}
