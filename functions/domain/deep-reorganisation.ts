import { type LaneState, parseLane } from './lane.ts';
import { findTransaction } from './lane-records.ts';
import type { Chain, Sighting } from './ports.ts';
import { reopenFrom } from './reopen.ts';
import type { Services } from './services.ts';

/**
 * A reorganisation deeper than the chain's `confirmations` undid what was final: those transactions are opened again,
 * so that the lane's nonces are the chain's. A provider that only lags shows no other block where theirs was.
 *
 * @returns the state as it was when there is nothing to repair; nothing when somebody else changed it meanwhile
 */
export async function repairFinals(
  services: Services,
  chain: Chain,
  state: LaneState,
  { minedCount, head }: Sighting,
): Promise<LaneState | undefined> {
  if (minedCount >= state.finalNonce) return state;
  const { lane } = state;
  const receipt = (await findTransaction(services.records, lane, minedCount))?.receipt;
  if (!receipt) return state;
  const { signerAddress } = parseLane(lane);
  const { blockNumber } = receipt;
  const look = await chain.sight({ signerAddress, hashes: [], blockNumbers: [blockNumber] });
  const canonical = look.blockHashes.get(blockNumber);
  const isProven =
    canonical !== undefined && canonical !== receipt.blockHash && look.minedCount <= minedCount;
  if (!isProven) return state;
  const error = new Error(`nonces from ${minedCount} were final and are undone`);
  services.log.error('reorganisation deeper than confirmations', error, { lane });
  return reopenFrom(services, state, minedCount, head);
}
