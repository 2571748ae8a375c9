import { type LaneState, parseLane } from './lane.ts';
import { laneState } from './lane-opening.ts';
import { changeState, findLaneState } from './lane-records.ts';
import type { Services } from './services.ts';

/** The first execution of a lane runs before the lane has a record: its first turn makes it. */
const firstRun = 1;

/**
 * Makes sure that an execution of the lane runs. A closed name is burnt: whoever finds one raises the run; if
 * somebody else did, theirs is started. A state read after the operation was queued need not be read again.
 */
export async function startLane(services: Services, lane: string, read?: LaneState): Promise<void> {
  const known = read ?? (await findLaneState(services.records, lane));
  const started = await services.executions.startLane({ lane, run: known?.run ?? firstRun });
  if (started === 'running') return;
  const state = known ?? (await laneState(services, services.chain(parseLane(lane).chainId), lane));
  await services.records.update(changeState(state, { run: state.run + 1 }));
  return startLane(services, lane);
}

/** As `startLane`; a failure is only logged, because the sweep starts what was not started. */
export async function startLaneOrLeave(services: Services, lane: string, read?: LaneState): Promise<void> {
  try {
    await startLane(services, lane, read);
  } catch (error) {
    services.log.error('lane not started; the sweep will', error, { lane });
  }
}
