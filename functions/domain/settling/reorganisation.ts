import { findReadable } from '../attestation/attestation-records.ts';
import type { Block, ChainSnapshot } from '../chain.ts';
import type { LaneState, Transaction } from '../lane/lane.ts';
import { writeState } from '../lane/lane-records.ts';
import { type LaneServices, lookAtKey } from '../lane/lane-services.ts';
import { changeTransaction, findPayload, findTransaction, newestMined } from '../lane/transaction-records.ts';
import { undoneChanges } from '../operation/outcome.ts';
import type { Services } from '../services.ts';
import { lowestFreed, reopenLost } from './lost-nonce.ts';
import { did } from './transaction-outcome.ts';

/**
 * Whether a reorganisation undid a mined transaction: another block is now where its own was. A provider that has no
 * block there yet only lags.
 */
export function isUndone(transaction: Transaction | undefined, { blockHashes }: ChainSnapshot): boolean {
  const { receipt } = transaction ?? {};
  const canonical = receipt && blockHashes.get(receipt.blockNumber);
  return canonical !== undefined && canonical !== receipt?.blockHash;
}

/** Numbers of the blocks that hold the transactions. */
export function blocksOf(...transactions: readonly (Transaction | undefined)[]): number[] {
  return [...new Set(transactions.flatMap((one) => one?.receipt?.blockNumber ?? []))];
}

/**
 * Reopens the transactions from a nonce up, the highest first, so that the lane's nonces stay in order at every step.
 * Their bytes are sent again in the same tick; nonces without a receipt are filled later.
 *
 * @returns the lane's state after it
 */
export async function reopenFrom(
  services: Services,
  read: LaneState,
  lowest: number,
  head: Block,
): Promise<LaneState> {
  let state = read;
  for (let nonce = read.minedNonce - 1; nonce >= lowest; nonce--) {
    const transaction = await findTransaction(services.records, read.lane, nonce);
    state = transaction?.receipt
      ? await reopen(services, state, transaction, head)
      : await reopenLost(services, state, nonce, transaction);
  }
  return state;
}

async function reopen(
  services: Services,
  state: LaneState,
  transaction: Transaction,
  head: Block,
): Promise<LaneState> {
  const { records, log, now } = services;
  const { lane, nonce, receipt } = transaction;
  const { operations } = await findPayload(records, lane, nonce);
  const rows = await findReadable(services, operations);
  const changes = operations.flatMap((operation, position) => {
    const row = rows[position];
    return row && did(transaction, receipt, operation, position) ? undoneChanges(row, operation) : [];
  });
  const wasFinal = transaction.state === 'final';
  const nonces = { minedNonce: nonce, ...(wasFinal ? { finalNonce: nonce } : {}) };
  // As if sent long ago, so that their bytes are sent again at once.
  const attempts = transaction.attempts.map((one) => ({ ...one, sentAt: new Date(0).toISOString() }));
  const reopened = {
    state: 'open',
    receipt: undefined,
    settledCount: 0,
    attempts,
  } as const;
  const former = wasFinal ? { formerReceipt: receipt } : {};
  log.warn('transaction undone by a reorganisation', { lane, nonce });
  return writeState(services, state, { ...nonces, lowestSinceBlock: head.number }, [
    ...changes,
    ...changeTransaction(transaction, { ...reopened, ...former }, now()),
  ]);
}

/**
 * Whether the chain and the record of an idle lane differ on the lane's key. What others do with a key that is retired
 * is of no concern, and a revoked one never used some of its nonces.
 */
export async function isDisturbed(services: LaneServices, state: LaneState): Promise<boolean> {
  const newestFinal = await newestMined(services.records, state.lane, state.finalNonce);
  const snapshot = await lookAtKey(services, blocksOf(newestFinal));
  const { minedCount } = snapshot;
  const { nextNonce, retired } = state;
  if (minedCount < nextNonce && retired !== 'revoked') return true;
  return (minedCount > nextNonce && !retired) || isUndone(newestFinal, snapshot);
}

/**
 * Reopens final transactions that a reorganisation deeper than the chain's `confirmations` undid, so that the lane's
 * nonces are the chain's. They may be in other blocks by now, and have done something else there. A provider that only
 * lags shows no other block in place of theirs.
 *
 * @param newestFinal the transaction whose block was asked for in the snapshot
 * @returns the given state when there is nothing to repair
 */
export async function repairFinals(
  services: LaneServices,
  state: LaneState,
  { newestFinal, snapshot }: { newestFinal: Transaction | undefined; snapshot: ChainSnapshot },
): Promise<LaneState> {
  const lowest =
    newestFinal && isUndone(newestFinal, snapshot)
      ? await lowestUndone(services, newestFinal)
      : await lowestFreed(services, state, newestFinal, snapshot);
  if (lowest === undefined) return state;
  const error = new Error(`nonces from ${lowest} were final and are undone`);
  services.log.error('reorganisation deeper than confirmations', error, { lane: state.lane });
  return reopenFrom(services, state, lowest, snapshot.head);
}

/** Finds the nonce of the lowest final transaction whose block is no longer the chain's. */
async function lowestUndone(services: LaneServices, { lane, nonce }: Transaction): Promise<number> {
  const below = await newestMined(services.records, lane, nonce);
  const isLowest = !below || !isUndone(below, await lookAtKey(services, blocksOf(below)));
  return isLowest ? nonce : lowestUndone(services, below);
}
