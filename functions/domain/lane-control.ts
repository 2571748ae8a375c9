import type { LaneState } from './lane.ts';
import { changeLane, lookAtKey, unpaused } from './lane-control-change.ts';
import { LaneBehindError } from './lane-control-errors.ts';
import type { Services } from './services.ts';
import { startLaneOrLeave } from './start-lane.ts';

/** Nothing is bound from now on; what is open goes on being settled. */
export function pauseLane(
  services: Services,
  lane: string,
  reason = 'paused by an operator',
): Promise<LaneState> {
  return changeLane(services, lane, ({ paused }) => (paused === reason ? {} : { paused: reason }));
}

/** Lets a paused lane bind again. @throws LaneBehindError while the chain has more of the key than the lane. */
export async function resumeLane(services: Services, lane: string): Promise<LaneState> {
  const resumed = await changeLane(services, lane, async ({ paused, nextNonce: next }, chain) => {
    if (paused === undefined) return {};
    const { minedCount } = await lookAtKey(chain, lane);
    if (minedCount > next) throw new LaneBehindError(lane, { chain: minedCount, next });
    return unpaused;
  });
  await startLaneOrLeave(services, lane);
  return resumed;
}
