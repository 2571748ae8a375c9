import { type LaneState, parseLane, type Transaction } from './lane.ts';
import { findTransaction, recentTransactions } from './lane-records.ts';
import type { Chain, Sighting } from './ports.ts';
import { isUndone, reopenFrom } from './reopen.ts';
import type { Services } from './services.ts';

/** Whether the chain shows something else of an idle lane's key than the lane's record. */
export async function isDisturbed({ records }: Services, chain: Chain, state: LaneState): Promise<boolean> {
  const { newestFinal } = await recentTransactions(records, state);
  const sighting = await lookAtBlockOf(chain, state, newestFinal);
  return sighting.minedCount !== state.nextNonce || isUndone(newestFinal, sighting);
}

/**
 * A reorganisation deeper than the chain's `confirmations` undid what was final: those transactions are opened again,
 * so that the lane's nonces are the chain's. They may be in other blocks by now, and have done something else there. A
 * provider that only lags shows no other block where theirs was.
 *
 * @param newestFinal whose block was looked for in the sighting
 * @returns the state as it was when there is nothing to repair; nothing when somebody else changed it meanwhile
 */
export async function repairFinals(
  services: Services,
  chain: Chain,
  state: LaneState,
  { newestFinal, sighting }: { newestFinal: Transaction | undefined; sighting: Sighting },
): Promise<LaneState | undefined> {
  const { lane, finalNonce } = state;
  if (sighting.minedCount >= finalNonce && !isUndone(newestFinal, sighting)) return state;
  const lowest = await lowestUndone(services, chain, state);
  if (lowest === undefined) return state;
  const error = new Error(`nonces from ${lowest} were final and are undone`);
  services.log.error('reorganisation deeper than confirmations', error, { lane });
  return reopenFrom(services, state, lowest, sighting.head);
}

/** Of the final transactions, the lowest whose block is not the chain's any more. */
async function lowestUndone(
  { records }: Services,
  chain: Chain,
  state: LaneState,
): Promise<number | undefined> {
  let lowest: number | undefined;
  for (let nonce = state.finalNonce - 1; nonce >= 0; nonce--) {
    const transaction = await findTransaction(records, state.lane, nonce);
    if (!isUndone(transaction, await lookAtBlockOf(chain, state, transaction))) break;
    lowest = nonce;
  }
  return lowest;
}

function lookAtBlockOf(
  chain: Chain,
  { lane }: LaneState,
  transaction: Transaction | undefined,
): Promise<Sighting> {
  const { signerAddress } = parseLane(lane);
  const { receipt } = transaction ?? {};
  return chain.sight({ signerAddress, hashes: [], blockNumbers: receipt ? [receipt.blockNumber] : [] });
}
