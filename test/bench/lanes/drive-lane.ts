import { setTimeout as pause } from 'node:timers/promises';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import { waitingQueues } from '../../../functions/domain/lane/queue-records.ts';
import { advance } from '../../../functions/domain/steps/advance-lane.ts';
import type { LaneTick } from '../../../functions/domain/steps/next-tick.ts';
import type { BenchLane } from './bench-lane.ts';
import type { PartTimes } from './part-clock.ts';

/** Times and results of one tick of the lane. */
export interface TickTime extends PartTimes {
  readonly totalMs: number;
  /** Number of transactions that the tick bound (and so simulated, signed and sent), and that it settled. */
  readonly bound: number;
  readonly settled: number;
}

async function stateOf({ services, lane }: BenchLane) {
  const { nextNonce = 0, finalNonce = 0, run = 1 } = (await findLaneState(services.records, lane)) ?? {};
  return { nextNonce, finalNonce, run };
}

/** Runs one tick as the state machine does, and measures it. */
export async function takeTick(lane: BenchLane, tick: LaneTick) {
  const before = await stateOf(lane);
  lane.clock.take();
  const startedAtMs = performance.now();
  const next = await advance(lane.services, tick);
  const totalMs = performance.now() - startedAtMs;
  const parts = lane.clock.take();
  const after = await stateOf(lane);
  const bound = after.nextNonce - before.nextNonce;
  return { next, time: { ...parts, totalMs, bound, settled: after.finalNonce - before.finalNonce } };
}

/** Acts for the lane's execution, waits included, until nothing is owed or it is told to stop. */
export async function driveLane(lane: BenchLane, isOver = () => false): Promise<TickTime[]> {
  const times: TickTime[] = [];
  let tick: LaneTick = { lane: lane.lane, run: (await stateOf(lane)).run, turn: 0 };
  while (!isOver()) {
    const { next, time } = await takeTick(lane, tick);
    times.push(time);
    if (next.done && (await isIdle(lane))) break;
    tick = next.done ? { lane: lane.lane, run: (await stateOf(lane)).run, turn: 0 } : next;
    await pause(next.waitSeconds * 1000);
  }
  return times;
}

async function isIdle(lane: BenchLane): Promise<boolean> {
  const { nextNonce, finalNonce } = await stateOf(lane);
  if (nextNonce !== finalNonce) return false;
  return (await waitingQueues(lane.services.records, [lane.queue])).length === 0;
}
