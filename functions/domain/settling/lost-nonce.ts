import type { ChainSnapshot } from '../chain.ts';
import { ChainUnreachableError } from '../errors.ts';
import { type LaneState, parseLane, type Transaction } from '../lane/lane.ts';
import { writeState } from '../lane/lane-records.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { changeTransaction, putTransaction } from '../lane/transaction-records.ts';
import type { Services } from '../services.ts';

/**
 * Determines whether a transaction lost its nonce for good, and to what. A missing receipt proves nothing: what counts
 * is another program's transaction with this nonce in a final block, or a final block at which the forwarder takes
 * nothing from a revoked key.
 */
export async function lossOf(
  services: LaneServices,
  { retired, registries = [] }: LaneState,
  transaction: Transaction,
  { minedCount }: ChainSnapshot,
): Promise<Transaction['lostTo'] | undefined> {
  const { lane, nonce, attempts, to, lostTo } = transaction;
  const { laneChain, signerAddress } = services;
  if (minedCount > nonce) {
    // While no provider keeps the state of so old a block, the lane's other transactions go on.
    const spentBy = await laneChain.transactionByNonce(signerAddress, nonce).catch((error: unknown) => {
      if (!(error instanceof ChainUnreachableError)) throw error;
    });
    if (spentBy === undefined || attempts.some(({ hash }) => hash === spentBy)) return undefined;
    services.log.error('nonce used by somebody else', new Error(`by ${spentBy}`), { lane, nonce });
    return 'foreign';
  }
  if (retired !== 'revoked') return undefined;
  // A revoked key fills no nonce, and there is nothing left to free.
  if (lostTo) return 'revocation';
  // A registry call by the key itself needs no operator.
  if (registries.includes(to)) return undefined;
  return laneChain.atFinal(async (view) => {
    const [isOperator, used] = await Promise.all([
      view.isOperator(to, signerAddress),
      view.minedCount(signerAddress),
    ]);
    return isOperator || used > nonce ? undefined : 'revocation';
  });
}

/**
 * Number of the key's nonces that a final block shows as used; `undefined` while that block is from before the lane last
 * saw one of them used, as it is on a provider that lags.
 */
function usedAtFinal(services: LaneServices, { lowestSinceBlock }: LaneState): Promise<number | undefined> {
  const { laneChain, signerAddress } = services;
  return laneChain.atFinal(async ({ block, minedCount }) =>
    block.number < lowestSinceBlock ? undefined : minedCount(signerAddress),
  );
}

/**
 * Finds the lowest nonce that the lane counts as used, by a transaction of which it has no receipt, and that is free
 * again: a reorganisation took that transaction back. None of a revoked key: it fills no nonce.
 *
 * @param newestFinal the transaction with a receipt above which such nonces can be
 */
export async function lowestFreed(
  services: LaneServices,
  state: LaneState,
  newestFinal: Transaction | undefined,
  { minedCount }: ChainSnapshot,
): Promise<number | undefined> {
  if (minedCount >= state.finalNonce || state.retired === 'revoked') return undefined;
  const used = await usedAtFinal(services, state);
  if (used === undefined) return undefined;
  const lowest = Math.max(used, (newestFinal?.nonce ?? -1) + 1);
  return lowest < state.finalNonce ? lowest : undefined;
}

/** Whether the empty transfer that fills a lost nonce may be signed: not while another transaction may still use it. */
export async function mayFill(services: LaneServices, state: LaneState, lost: Transaction): Promise<boolean> {
  const { nonce, attempts } = lost;
  if (attempts.at(-1)?.cancels) return true;
  if (nonce !== state.minedNonce || state.retired === 'revoked') return false;
  const used = await usedAtFinal(services, state);
  return used !== undefined && used <= nonce;
}

/**
 * Opens a nonce without a receipt again, to be filled by an empty transfer: what it was to do was freed when it was lost.
 * One that a resync skipped gets a transaction without operations.
 */
export async function reopenLost(
  services: Services,
  state: LaneState,
  nonce: number,
  lost: Transaction | undefined,
): Promise<LaneState> {
  const now = services.now();
  const changes = lost
    ? changeTransaction(lost, { state: 'open', cancelling: true }, now)
    : putTransaction(skippedTransaction(state, nonce, now), { operations: [], data: '0x' });
  return writeState(services, state, { minedNonce: nonce, finalNonce: nonce }, changes);
}

/** The transaction of a nonce of which the lane has no record; nothing was set aside for it. */
export function skippedTransaction({ lane }: LaneState, nonce: number, now: Date): Transaction {
  const empty = { to: parseLane(lane).signerAddress, gasLimit: 0n, attempts: [], cancelling: true } as const;
  const lost = { state: 'open', lostTo: 'foreign', settledCount: 0 } as const;
  return { schema: 1, lane, nonce, boundAt: now.toISOString(), ...empty, ...lost, version: 1 };
}
