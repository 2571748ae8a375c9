import { NotYetFinalError } from './errors.ts';
import type { LaneState } from './lane.ts';
import { parseLane } from './lane.ts';
import { findLaneState, openLane } from './lane-records.ts';
import type { Chain } from './ports.ts';
import type { Services } from './services.ts';

/**
 * The lane's record; on first use it is made, and only then the chain is asked for the nonce to begin with.
 *
 * @throws NotYetFinalError while a reorganisation could still take back what the key sent before
 */
export async function laneState(services: Services, chain: Chain, lane: string): Promise<LaneState> {
  const known = await findLaneState(services.records, lane);
  if (known) return known;
  const { signerAddress } = parseLane(lane);
  const [{ minedCount, head }, finalCount] = await Promise.all([
    chain.sight({ signerAddress, hashes: [], blockNumbers: [] }),
    chain.atFinal((view) => view.minedCount(signerAddress)),
  ]);
  // Nonces that are free again would be a gap below the lane, and nothing of it would ever be mined.
  if (minedCount !== finalCount)
    throw new NotYetFinalError(`lane ${lane} begins when its key's nonce is final`);
  await openLane(services.records, lane, { nonce: minedCount, blockNumber: head.number });
  return laneState(services, chain, lane);
}
