import { NotYetFinalError } from './errors.ts';
import type { LaneState } from './lane.ts';
import { parseLane } from './lane.ts';
import { findLaneState, type Opening, openLane } from './lane-records.ts';
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
  const [opening, finalCount] = await Promise.all([
    openingOf(chain, lane),
    chain.atFinal((view) => view.minedCount(signerAddress)),
  ]);
  // Nonces that are free again would be a gap below the lane, and nothing of it would ever be mined.
  if (opening.nonce !== finalCount)
    throw new NotYetFinalError(`lane ${lane} begins when its key's nonce is final; try again in some blocks`);
  await openLane(services.records, lane, opening);
  return laneState(services, chain, lane);
}

/** The record of a lane that is never to bind: whether what its key sent before is final does not matter. */
export async function stoppedLaneState(services: Services, chain: Chain, lane: string): Promise<LaneState> {
  const known = await findLaneState(services.records, lane);
  if (known) return known;
  await openLane(services.records, lane, await openingOf(chain, lane));
  return stoppedLaneState(services, chain, lane);
}

async function openingOf(chain: Chain, lane: string): Promise<Opening> {
  const { signerAddress } = parseLane(lane);
  const { minedCount, head } = await chain.sight({ signerAddress, hashes: [], blockNumbers: [] });
  return { nonce: minedCount, blockNumber: head.number };
}
