import type { Block, Chain } from '../chain.ts';
import { type LaneState, parseLane } from '../lane/lane.ts';
import { changeState, openOrReadLane } from '../lane/lane-records.ts';
import { answersFor, queuesOf, waitingQueues } from '../lane/queue-records.ts';
import { startLane, startSuccessors } from '../lane/start-lane.ts';
import { refuseUnsendable } from '../operation/drop-operations.ts';
import { lostRace } from '../records.ts';
import { dispatchLane, type LaneDispatch } from '../sending/dispatch-lane.ts';
import { resubmit } from '../sending/resubmit.ts';
import type { Services } from '../services.ts';
import { settleMined } from '../settling/settle-lane.ts';

/**
 * Ticks of one run: an execution's history ends at 25,000 events (Step Functions), and a tick is some fifteen of them.
 */
const ticksPerRun = 500;

/** Tick of a lane's execution, as its state machine hands it on: the chain is read once. */
export interface LaneTick {
  readonly lane: string;
  readonly run: number;
  /** Ticks of the run before this one. */
  readonly turn: number;
}

/** Answer of a tick: whether the run ends, or how long the state machine waits before the next. */
export interface NextTick extends LaneTick {
  readonly done: boolean;
  readonly waitSeconds: number;
}

/** Runs a tick of a lane: reads the chain once, then settles, signs, resubmits and dispatches. Safe at any time. */
export async function advance(services: Services, tick: LaneTick): Promise<NextTick> {
  const chain = services.chain(parseLane(tick.lane).chainId);
  const ended = { ...tick, done: true, waitSeconds: 0 };
  const state = await openOrReadLane(services, chain, tick.lane);
  // A raised run means that another execution has taken over.
  if (state.run !== tick.run) return ended;
  const settled = await settleMined(services, chain, state);
  const open = settled === lostRace ? undefined : settled;
  if (open) await resubmit(services, chain, open);
  const read = open?.state ?? state;
  const queues = isHalted(services, read) ? [] : queuesOf(chain, read);
  const dispatched = await dispatchLane(services, read, queues);
  await refuseUnsendable(services, chain, state);
  if (await endRun(services, chain, dispatched, tick)) return ended;
  const waitSeconds = secondsToNextBlock(services, chain, open?.snapshot.head);
  return { ...tick, turn: tick.turn + 1, done: false, waitSeconds };
}

/** Whole seconds, as a state machine waits. The chain's clock may be off: at least one second, at most a block. */
function secondsToNextBlock({ now }: Services, { settings }: Chain, head: Block | undefined): number {
  const { blockTimeSeconds } = settings;
  const longest = Math.max(1, Math.round(blockTimeSeconds));
  if (!head) return longest;
  const seconds = Math.ceil(head.timestamp + blockTimeSeconds - now().getTime() / 1000);
  return Math.min(longest, Math.max(1, seconds));
}

/** Logged every tick, so that the alarm stays up for as long as the lane is paused. */
function isHalted({ log }: Services, { lane, paused }: LaneState): boolean {
  if (paused !== undefined) log.error('lane paused', new Error(paused), { lane });
  return paused !== undefined;
}

/**
 * Ends the run when nothing is owed, or when its history is long. The run is raised first and the queues are read
 * after. A function that queues an operation reads the run after, so one of the two always sees the other.
 */
async function endRun(
  services: Services,
  chain: Chain,
  { state, isInterrupted }: LaneDispatch,
  { turn }: LaneTick,
): Promise<boolean> {
  const isSettled = state.finalNonce === state.nextNonce;
  const isIdle = !isInterrupted && isSettled && !(await hasWork(services, chain, state));
  if (!isIdle && turn + 1 < ticksPerRun) return false;
  if (!(await services.records.update(changeState(state, { run: state.run + 1 })))) return false;
  if (!isIdle || (await hasWork(services, chain, state))) await startLane(services, state.lane);
  return true;
}

/** Whether operations wait that this lane is to send. Those that a retired lane leaves are sent by its successors. */
async function hasWork(services: Services, chain: Chain, state: LaneState): Promise<boolean> {
  const waiting = await waitingQueues(services.records, queuesOf(chain, state));
  const left = waiting.filter((queue) => !answersFor(state, queue));
  await startSuccessors(services, state.lane, left);
  return waiting.length > left.length;
}
