import type { Address, Hash } from 'viem';
import type { Chain, ChainSnapshot } from '../chain.ts';
import { ChainUnreachableError } from '../errors.ts';
import { type LaneState, parseLane, type Transaction } from '../lane/lane.ts';
import type { Services } from '../services.ts';

/** Also `undefined` while no provider keeps the state of so old a block: the lane's other transactions go on. */
async function transactionAt(chain: Chain, signerAddress: Address, nonce: number): Promise<Hash | undefined> {
  try {
    return await chain.transactionByNonce(signerAddress, nonce);
  } catch (error) {
    if (error instanceof ChainUnreachableError) return undefined;
    throw error;
  }
}

/**
 * Determines whether a transaction lost its nonce for good, and to what. A missing receipt proves nothing: what counts
 * is another program's transaction with this nonce in a final block, or a final block at which the forwarder takes
 * nothing from a revoked key.
 */
export async function lossOf(
  services: Services,
  chain: Chain,
  { retired }: LaneState,
  transaction: Transaction,
  { minedCount }: ChainSnapshot,
): Promise<Transaction['lostTo'] | undefined> {
  const { lane, nonce, attempts, to } = transaction;
  const { signerAddress } = parseLane(lane);
  if (minedCount > nonce) {
    const spentBy = await transactionAt(chain, signerAddress, nonce);
    if (spentBy === undefined || attempts.some(({ hash }) => hash === spentBy)) return undefined;
    services.log.error('nonce used by somebody else', new Error(`by ${spentBy}`), { lane, nonce });
    return 'foreign';
  }
  // A registry call by the key itself needs no operator.
  if (retired !== 'revoked' || to === chain.settings.registryAddress) return undefined;
  return chain.atFinal(async (view) => {
    const [isOperator, used] = await Promise.all([
      view.isOperator(to, signerAddress),
      view.minedCount(signerAddress),
    ]);
    return isOperator || used > nonce ? undefined : 'revocation';
  });
}
