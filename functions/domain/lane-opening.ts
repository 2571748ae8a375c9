import type { LaneState } from './lane.ts';
import { parseLane } from './lane.ts';
import { findLaneState, openLane } from './lane-records.ts';
import type { Chain } from './ports.ts';
import type { Services } from './services.ts';

/** The lane's record; on first use it is made, and only then the chain is asked for the nonce to begin with. */
export async function laneState(services: Services, chain: Chain, lane: string): Promise<LaneState> {
  const known = await findLaneState(services.records, lane);
  if (known) return known;
  const { minedCount, head } = await chain.sight({ ...parseLane(lane), hashes: [], blockNumbers: [] });
  await openLane(services.records, lane, { nonce: minedCount, blockNumber: head.number });
  return laneState(services, chain, lane);
}
