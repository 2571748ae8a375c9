import type { LaneState } from '../lane/lane.ts';
import { openOrReadLane, writeState } from '../lane/lane-records.ts';
import { type LaneServices, laneServices } from '../lane/lane-services.ts';
import { queuesOf } from '../lane/served-queues.ts';
import { refuseUnsendable } from '../operation/drop-operations.ts';
import { catchRace } from '../records.ts';
import { dispatchLane } from '../sending/dispatch-lane.ts';
import { resubmit } from '../sending/resubmit.ts';
import type { Services } from '../services.ts';
import { settleMined } from '../settling/settle-lane.ts';
import { doneTick, type LaneTick, type NextTick, nextTick } from './next-tick.ts';

/** Runs a tick of a lane: reads the chain, then settles, signs, resubmits and dispatches. It may run at any time. */
export async function advance(base: Services, tick: LaneTick): Promise<NextTick> {
  const services = laneServices(base, tick.lane);
  const read = await openOrReadLane(services);
  // Another execution has taken over.
  if (read.run > tick.run) return doneTick(tick);
  const state = await takeOver(services, read, tick);
  const settled = await catchRace(settleMined(services, state));
  if (settled) await resubmit(services, settled);
  const latest = settled?.state ?? state;
  const queues = isHalted(services, latest) ? [] : queuesOf(services, latest);
  const dispatched = await dispatchLane(services, latest, queues);
  await refuseUnsendable(services, state);
  return nextTick(services, tick, { ...dispatched, settled });
}

/** The first tick of a run records the run number. The former run sleeps, or ended without a successor. */
async function takeOver(services: LaneServices, state: LaneState, { run }: LaneTick): Promise<LaneState> {
  if (state.run === run) return state;
  const recorded = await catchRace(writeState(services, state, { run, sleepsUntil: undefined }));
  return recorded ?? openOrReadLane(services);
}

/** Whether the lane is paused. Logs the pause at every tick, so that its alarm lasts. */
function isHalted({ log }: Services, { lane, paused }: LaneState): boolean {
  if (paused !== undefined) log.error('lane paused', new Error(paused), { lane });
  return paused !== undefined;
}
