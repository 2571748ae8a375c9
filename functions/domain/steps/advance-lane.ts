import type { Block, Chain } from '../chain.ts';
import { type LaneState, parseLane } from '../lane/lane.ts';
import { changeState, openOrReadLane } from '../lane/lane-records.ts';
import { answersFor, queuesOf, waitingQueues } from '../lane/queue-records.ts';
import { startLane, startSuccessors } from '../lane/start-lane.ts';
import { refuseUnsendable } from '../operation/drop-operations.ts';
import { type Pumped, pumpLane } from '../sending/dispatch-lane.ts';
import { resubmit } from '../sending/resubmit.ts';
import type { Services } from '../services.ts';
import { settleMined } from '../settling/settle-lane.ts';

/** An execution's history ends at 25,000 events; a turn is some fifteen of them. */
const turnsPerRun = 500;

/** One turn of a lane's execution, as its state machine hands it on. */
export interface LaneTurn {
  readonly lane: string;
  readonly run: number;
  readonly turn: number;
}

export interface NextTurn extends LaneTurn {
  readonly done: boolean;
  readonly waitSeconds: number;
}

/** Looks at the chain once and does all that follows from it: settles, signs, replaces, binds. Safe at any time. */
export async function advance(services: Services, turn: LaneTurn): Promise<NextTurn> {
  const chain = services.chain(parseLane(turn.lane).chainId);
  const ended = { ...turn, done: true, waitSeconds: 0 };
  const state = await openOrReadLane(services, chain, turn.lane);
  // A raised run means that another execution has taken over.
  if (state.run !== turn.run) return ended;
  const settled = await settleMined(services, chain, state);
  if (settled) await resubmit(services, chain, settled);
  const read = settled?.state ?? state;
  const queues = isHalted(services, read) ? [] : queuesOf(chain, read);
  const pumped = await pumpLane(services, read, queues);
  await refuseUnsendable(services, chain, state);
  if (await endRun(services, chain, pumped, turn)) return ended;
  const waitSeconds = secondsToNextBlock(services, chain, settled?.snapshot.head);
  return { ...turn, turn: turn.turn + 1, done: false, waitSeconds };
}

/** Whole seconds, as a state machine waits. A chain's clock may be off: never less than one, never more than a block. */
function secondsToNextBlock({ now }: Services, { settings }: Chain, head: Block | undefined): number {
  const { blockTimeSeconds } = settings;
  const longest = Math.max(1, Math.round(blockTimeSeconds));
  if (!head) return longest;
  const seconds = Math.ceil(head.timestamp + blockTimeSeconds - now().getTime() / 1000);
  return Math.min(longest, Math.max(1, seconds));
}

/** Said every turn, so that the alarm stays up for as long as the lane is paused. */
function isHalted({ log }: Services, { lane, paused }: LaneState): boolean {
  if (paused !== undefined) log.error('lane paused', new Error(paused), { lane });
  return paused !== undefined;
}

/**
 * Ends the run when nothing is owed, or when its history is long. The run is raised first and the queues read after:
 * whoever queues reads the run after queuing, so one of the two sees the other.
 */
async function endRun(
  services: Services,
  chain: Chain,
  { state, isInterrupted }: Pumped,
  { turn }: LaneTurn,
): Promise<boolean> {
  const isSettled = state.finalNonce === state.nextNonce;
  const isIdle = !isInterrupted && isSettled && !(await hasWork(services, chain, state));
  if (!isIdle && turn + 1 < turnsPerRun) return false;
  if (!(await services.records.update(changeState(state, { run: state.run + 1 })))) return false;
  if (!isIdle || (await hasWork(services, chain, state))) await startLane(services, state.lane);
  return true;
}

/** Whether anything waits that this lane is to send; what a retired one leaves, another sends. */
async function hasWork(services: Services, chain: Chain, state: LaneState): Promise<boolean> {
  const waiting = await waitingQueues(services.records, queuesOf(chain, state));
  const left = waiting.filter((queue) => !answersFor(state, queue));
  await startSuccessors(services, state.lane, left);
  return waiting.length > left.length;
}
