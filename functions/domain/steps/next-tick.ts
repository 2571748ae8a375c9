import type { Block } from '../chain.ts';
import type { LaneState, Queue } from '../lane/lane.ts';
import { writeState } from '../lane/lane-records.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { isDue, listOperations, waitingQueues } from '../lane/queue-records.ts';
import { isResponsibleFor, queuesOf } from '../lane/served-queues.ts';
import { startLane, startSuccessors } from '../lane/start-lane.ts';
import { unlessLost } from '../records.ts';
import type { LaneDispatch } from '../sending/dispatch-lane.ts';
import type { Services } from '../services.ts';
import { finalitySeconds } from '../settings.ts';
import type { SettledLane } from '../settling/settle-lane.ts';

/** Maximum ticks of a run. A tick takes about fifteen events, and Step Functions limits a history to 25,000. */
const ticksPerRun = 500;

/** Seconds between ticks if nothing is unmined and nothing can be sent, for example without funds. */
const stalledSeconds = 5;

/** Minimum seconds between checks for `finalized` blocks: the chain finalizes minutes of blocks at once. */
const finalizedLookSeconds = 60;

export interface LaneTick {
  readonly lane: string;
  readonly run: number;
  /** Ticks of the run before this one. */
  readonly turn: number;
  /** Fingerprint of the definition that the execution runs. */
  readonly definition?: string | undefined;
}

export interface NextTick extends LaneTick {
  readonly done: boolean;
  readonly waitSeconds: number;
}

export function endOf(tick: LaneTick): NextTick {
  return { ...tick, done: true, waitSeconds: 0 };
}

/**
 * Decides how a run continues. It ends if nothing is pending, its history is long, or a deployment replaced its
 * definition. Otherwise, it ticks at the next block if that may change something, and sleeps until something is due if
 * not.
 */
export async function nextTick(
  services: LaneServices,
  tick: LaneTick,
  { state, isInterrupted, settled }: LaneDispatch & { readonly settled: SettledLane | undefined },
): Promise<NextTick> {
  const turn = tick.turn + 1;
  const again = (waitSeconds: number): NextTick => ({ ...tick, turn, done: false, waitSeconds });
  const isWatched = isInterrupted || !settled || state.minedNonce < state.nextNonce;
  const dueSeconds = isWatched ? 0 : await secondsToDue(services, state);
  const isUnsettled = state.finalNonce < state.nextNonce;
  const isIdle = dueSeconds === Number.POSITIVE_INFINITY && !isUnsettled;
  const mayEnd = isIdle || turn >= ticksPerRun || isReplaced(services, tick);
  if (mayEnd && (await endRun(services, state, isIdle))) return endOf(tick);
  const blockSeconds = secondsToNextBlock(services, settled?.snapshot.head);
  if (isWatched || mayEnd) return again(blockSeconds);
  if (dueSeconds === 0) return again(Math.max(blockSeconds, stalledSeconds));
  const seconds = isUnsettled ? Math.min(dueSeconds, secondsToFinality(services, settled)) : dueSeconds;
  const sleeps = seconds > blockSeconds && (await sleep(services, state, seconds));
  return again(sleeps ? seconds : blockSeconds);
}

/** Not at the first tick: a deployment replaces the functions first, and the next run would end at once. */
function isReplaced({ laneDefinition }: Services, { turn, definition }: LaneTick): boolean {
  return turn > 0 && laneDefinition !== undefined && definition !== laneDefinition;
}

/** Wait for a late block, as a share of its delay, which may be hours. */
const lateShare = 1 / 4;

/** Whole seconds for state machines: one to a block's time, because the chain's clock may be wrong. */
function secondsToNextBlock({ now, laneChain }: LaneServices, head: Block | undefined): number {
  const { blockTimeSeconds } = laneChain.settings;
  const longest = Math.max(1, Math.round(blockTimeSeconds));
  if (!head) return longest;
  const seconds = head.timestamp + blockTimeSeconds - now().getTime() / 1000;
  const wait = seconds > 0 ? seconds : -seconds * lateShare;
  return Math.min(longest, Math.max(1, Math.ceil(wait)));
}

/** Seconds until the first transaction with awaited finality can be final; without one, until all can. */
function secondsToFinality(
  { now, laneChain: { settings } }: LaneServices,
  { mined, snapshot: { head } }: SettledLane,
): number {
  const awaited = mined.find(({ finalityAwaited }) => finalityAwaited) ?? mined.at(-1);
  const blocksAgo = head.number - (awaited?.receipt?.blockNumber ?? head.number);
  const finalTime = head.timestamp + finalitySeconds(settings) - (blocksAgo + 1) * settings.blockTimeSeconds;
  const seconds = Math.ceil(finalTime - now().getTime() / 1000);
  return settings.confirmations === 'finalized' ? Math.max(seconds, finalizedLookSeconds) : seconds;
}

/** Writes before it reads the queues. Who queues does the reverse, so one of the two sees the other. */
async function sleep(services: LaneServices, state: LaneState, seconds: number): Promise<boolean> {
  const sleepsUntil = new Date(services.now().getTime() + seconds * 1000).toISOString();
  const asleep = await unlessLost(writeState(services, state, { sleepsUntil }));
  return asleep !== undefined && (await secondsToDue(services, asleep)) > 0;
}

/** Writes before it reads the queues. Who queues does the reverse, so one of the two sees the other. */
async function endRun(services: LaneServices, state: LaneState, isIdle: boolean): Promise<boolean> {
  if (!(await unlessLost(writeState(services, state, { run: state.run + 1 })))) return false;
  const isOwing = !isIdle || (await secondsToDue(services, state)) < Number.POSITIVE_INFINITY;
  if (isOwing) await startLane(services, state.lane);
  return true;
}

const lookSize = 100;

/** Whole seconds until an operation may be tried. Successors send what a retired lane leaves. */
async function secondsToDue(services: LaneServices, state: LaneState): Promise<number> {
  const queues = queuesOf(services, state);
  const left = queues.filter((queue) => !isResponsibleFor(state, queue));
  await startSuccessors(services, await waitingQueues(services.records, left));
  const own = queues.filter((queue) => !left.includes(queue));
  const seconds = await Promise.all(own.map((queue) => secondsToDueOf(services, queue)));
  return Math.min(...seconds, Number.POSITIVE_INFINITY);
}

async function secondsToDueOf(services: Services, queue: Queue): Promise<number> {
  const now = services.now();
  const operations = await listOperations(services, queue, lookSize);
  if (operations.length === 0) return Number.POSITIVE_INFINITY;
  if (operations.some((operation) => isDue(operation, now))) return 0;
  if (operations.length === lookSize && (await listOperations(services, queue, 1, now)).length > 0) return 0;
  const times = operations.map(({ retryAt = '' }) => Date.parse(retryAt));
  return Math.ceil((Math.min(...times) - now.getTime()) / 1000);
}
