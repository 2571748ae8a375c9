import type { ChainSnapshot } from '../chain.ts';
import { ChainUnreachableError } from '../errors.ts';
import type { LaneState, Transaction } from '../lane/lane.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { changeTransaction, newTransaction, putTransaction } from '../lane/transaction-records.ts';
import type { Change } from '../records.ts';

export interface LaneView {
  readonly state: LaneState;
  readonly transaction: Transaction;
  readonly snapshot: ChainSnapshot;
}

/**
 * Returns why a nonce is lost: a final block shows that another transaction used it, or that the forwarder no longer
 * accepts a revoked key.
 */
export async function findLoss(services: LaneServices, view: LaneView): Promise<Transaction['lostTo']> {
  const { retired, registries } = view.state;
  const { lane, nonce, attempts, to, lostTo } = view.transaction;
  const { laneChain, signerAddress } = services;
  if (view.snapshot.minedCount > nonce) {
    // If no provider has the old states that this search needs, the lane's other transactions continue.
    const spentBy = await laneChain.transactionByNonce(signerAddress, nonce).catch((error: unknown) => {
      if (!(error instanceof ChainUnreachableError)) throw error;
    });
    if (spentBy === undefined || attempts.some(({ hash }) => hash === spentBy)) return undefined;
    services.log.error('nonce used by another program', new Error(`by ${spentBy}`), { lane, nonce });
    return 'foreign';
  }
  if (retired !== 'revoked') return undefined;
  // A revoked key does not fill nonces, and the operations are free already.
  if (lostTo) return 'revocation';
  // A registry call by the key itself needs no operator.
  if (registries.includes(to)) return undefined;
  return laneChain.atFinal(async (view) => {
    const [isOperator, minedCount] = await Promise.all([
      view.isOperator(to, signerAddress),
      view.minedCount(signerAddress),
    ]);
    return isOperator || minedCount > nonce ? undefined : 'revocation';
  });
}

/** Counts the key's final transactions; `undefined` if the final block is older than the lane's last progress. */
export function finalMinedCount(services: LaneServices, state: LaneState): Promise<number | undefined> {
  const { laneChain, signerAddress } = services;
  return laneChain.atFinal(async ({ block, minedCount }) =>
    block.number < state.lowestSinceBlock ? undefined : minedCount(signerAddress),
  );
}

/** The empty transfer for a lost nonce must not be signed while another transaction may still use the nonce. */
export async function mayFill(services: LaneServices, state: LaneState, lost: Transaction): Promise<boolean> {
  const { nonce, attempts } = lost;
  if (attempts.at(-1)?.cancels) return true;
  if (nonce !== state.minedNonce || state.retired === 'revoked') return false;
  const used = await finalMinedCount(services, state);
  return used !== undefined && used <= nonce;
}

/** Reopens a nonce without a receipt, for an empty transfer. Its operations were freed when it was lost. */
export function refillChanges(services: LaneServices, nonce: number, lost?: Transaction): Change[] {
  if (lost) return changeTransaction(lost, { state: 'pending', canceling: true }, services.now());
  return putTransaction(skippedTransaction(services, nonce), { operations: [], data: '0x' });
}

export function skippedTransaction(services: LaneServices, nonce: number): Transaction {
  const empty = newTransaction(services, nonce, services.signerAddress, 0n);
  return { ...empty, lostTo: 'foreign', canceling: true };
}
