import type { Block } from '../chain.ts';
import type { LaneState, Queue } from '../lane/lane.ts';
import { writeState } from '../lane/lane-records.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { isDue, listOperations, waitingQueues } from '../lane/queue-records.ts';
import { isResponsibleFor, queuesOf } from '../lane/served-queues.ts';
import { startLane, startSuccessors } from '../lane/start-lane.ts';
import { catchRace } from '../records.ts';
import type { LaneDispatch } from '../sending/dispatch-lane.ts';
import type { Services } from '../services.ts';
import { finalitySeconds } from '../settings.ts';
import type { SettledLane } from '../settling/settle-lane.ts';

/** Maximum ticks of a run. A tick takes about fifteen events, and Step Functions limits a history to 25,000. */
const ticksPerRun = 500;

/** Minimum seconds between ticks if nothing is unmined and nothing can be sent, for example without funds. */
const stalledSeconds = 5;

/** Minimum seconds between checks for `finalized` blocks: the chain finalizes minutes of blocks at once. */
const finalizedCheckSeconds = 60;

export interface LaneTick {
  readonly lane: string;
  readonly run: number;
  /** Number of earlier ticks of the run. */
  readonly turn: number;
  /** Fingerprint of the definition that the execution runs. */
  readonly definition?: string | undefined;
}

export interface NextTick extends LaneTick {
  readonly done: boolean;
  readonly waitSeconds: number;
}

export function doneTick(tick: LaneTick): NextTick {
  return { ...tick, done: true, waitSeconds: 0 };
}

/**
 * Decides how a run continues. It ends if nothing is queued or unsettled, its history is long, or a deployment replaced
 * its definition. Otherwise, it ticks at the next block if that may change something. If not, it sleeps until something
 * is due.
 */
export async function nextTick(
  services: LaneServices,
  tick: LaneTick,
  { state, isInterrupted, settled }: LaneDispatch & { readonly settled: SettledLane | undefined },
): Promise<NextTick> {
  const turn = tick.turn + 1;
  const continueAfter = (waitSeconds: number): NextTick => ({ ...tick, turn, done: false, waitSeconds });
  const isWatched = isInterrupted || !settled || state.minedNonce < state.nextNonce;
  const dueSeconds = isWatched ? 0 : await secondsToDue(services, state);
  const isUnsettled = state.finalNonce < state.nextNonce;
  const isIdle = dueSeconds === Number.POSITIVE_INFINITY && !isUnsettled;
  const mayEnd = isIdle || turn >= ticksPerRun || isReplaced(services, tick);
  if (mayEnd && (await endRun(services, state, isIdle))) return doneTick(tick);
  const blockSeconds = secondsToNextBlock(services, settled?.snapshot.head);
  if (isWatched || mayEnd) return continueAfter(blockSeconds);
  if (dueSeconds === 0) return continueAfter(Math.max(blockSeconds, stalledSeconds));
  const seconds = isUnsettled ? Math.min(dueSeconds, secondsToFinality(services, settled)) : dueSeconds;
  const isAsleep = seconds > blockSeconds && (await sleep(services, state, seconds));
  return continueAfter(isAsleep ? seconds : blockSeconds);
}

/** Whether a deployment replaced the definition. Not at the first tick: functions change first, and runs would loop. */
function isReplaced({ laneDefinition }: Services, { turn, definition }: LaneTick): boolean {
  return turn > 0 && laneDefinition !== undefined && definition !== laneDefinition;
}

/** How long a run waits for a late block, as a share of the block's delay. The delay may be hours. */
const lateShare = 1 / 4;

/** Computes whole seconds, from one up to the block time, because the chain's clock may be wrong. */
function secondsToNextBlock({ now, laneChain }: LaneServices, head: Block | undefined): number {
  const { blockTimeSeconds } = laneChain.settings;
  const maxSeconds = Math.max(1, Math.round(blockTimeSeconds));
  if (!head) return maxSeconds;
  const seconds = head.timestamp + blockTimeSeconds - now().getTime() / 1000;
  const wait = seconds > 0 ? seconds : -seconds * lateShare;
  return Math.min(maxSeconds, Math.max(1, Math.ceil(wait)));
}

/** Computes the seconds until the first awaited transaction can be final; if none is awaited, until all can. */
function secondsToFinality(
  { now, laneChain: { settings } }: LaneServices,
  { mined, snapshot: { head } }: SettledLane,
): number {
  const awaited = mined.find(({ finalityAwaited }) => finalityAwaited) ?? mined.at(-1);
  const blocksAgo = head.number - (awaited?.receipt?.blockNumber ?? head.number);
  const finalTime = head.timestamp + finalitySeconds(settings) - (blocksAgo + 1) * settings.blockTimeSeconds;
  const seconds = Math.ceil(finalTime - now().getTime() / 1000);
  return settings.confirmations === 'finalized' ? Math.max(seconds, finalizedCheckSeconds) : seconds;
}

/** Writes before it reads the queues. A step that queues does the reverse, so one of the two sees the other. */
async function sleep(services: LaneServices, state: LaneState, seconds: number): Promise<boolean> {
  const sleepsUntil = new Date(services.now().getTime() + seconds * 1000).toISOString();
  const asleep = await catchRace(writeState(services, state, { sleepsUntil }));
  return asleep !== undefined && (await secondsToDue(services, asleep)) > 0;
}

/** Writes before it reads the queues. A step that queues does the reverse, so one of the two sees the other. */
async function endRun(services: LaneServices, state: LaneState, isIdle: boolean): Promise<boolean> {
  if (!(await catchRace(writeState(services, state, { run: state.run + 1 })))) return false;
  const hasWork = !isIdle || (await secondsToDue(services, state)) < Number.POSITIVE_INFINITY;
  if (hasWork) await startLane(services, state.lane);
  return true;
}

const pageSize = 100;

/** Computes the seconds until an operation is due. Starts the lanes that send a retired lane's other queues. */
async function secondsToDue(services: LaneServices, state: LaneState): Promise<number> {
  const queues = queuesOf(services, state);
  const others = queues.filter((queue) => !isResponsibleFor(state, queue));
  await startSuccessors(services, await waitingQueues(services.records, others));
  const ours = queues.filter((queue) => !others.includes(queue));
  const seconds = await Promise.all(ours.map((queue) => secondsToDueOf(services, queue)));
  return Math.min(...seconds, Number.POSITIVE_INFINITY);
}

async function secondsToDueOf(services: Services, queue: Queue): Promise<number> {
  const now = services.now();
  const operations = await listOperations(services, queue, pageSize);
  if (operations.length === 0) return Number.POSITIVE_INFINITY;
  if (operations.some((operation) => isDue(operation, now))) return 0;
  if (operations.length === pageSize && (await listOperations(services, queue, 1, now)).length > 0) return 0;
  const times = operations.map(({ retryAt = '' }) => Date.parse(retryAt));
  return Math.ceil((Math.min(...times) - now.getTime()) / 1000);
}
