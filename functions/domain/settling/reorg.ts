import { findReadable } from '../attestation/attestation-records.ts';
import type { Block, ChainSnapshot } from '../chain.ts';
import type { LaneState, Transaction } from '../lane/lane.ts';
import { writeState } from '../lane/lane-records.ts';
import { type LaneServices, readKeySnapshot } from '../lane/lane-services.ts';
import { changeTransaction, findPayload, findTransaction, newestMined } from '../lane/transaction-records.ts';
import { undoneChanges } from '../operation/outcome.ts';
import { finalMinedCount, refillChanges } from './lost-nonce.ts';
import { doneCheck } from './settle-transaction.ts';

/** Whether another block replaced the transaction's block. If the provider shows none at that number, it lags. */
export function isUndone(transaction: Transaction | undefined, { blockHashes }: ChainSnapshot): boolean {
  const { receipt } = transaction ?? {};
  const canonical = receipt && blockHashes.get(receipt.blockNumber);
  return canonical !== undefined && canonical !== receipt?.blockHash;
}

export function blocksOf(...transactions: readonly (Transaction | undefined)[]): number[] {
  return [...new Set(transactions.flatMap((one) => one?.receipt?.blockNumber ?? []))];
}

/** Reopens transactions from a nonce on, the highest first, so that the lane's nonces stay consistent at every step. */
export async function reopenFrom(services: LaneServices, read: LaneState, lowest: number, head: Block) {
  let state = read;
  for (let nonce = read.minedNonce - 1; nonce >= lowest; nonce--) {
    const transaction = await findTransaction(services.records, state.lane, nonce);
    const nonces = { minedNonce: nonce, finalNonce: nonce };
    state = transaction?.receipt
      ? await reopen(services, state, transaction, head)
      : await writeState(services, state, nonces, refillChanges(services, nonce, transaction));
  }
  return state;
}

async function reopen(services: LaneServices, state: LaneState, transaction: Transaction, head: Block) {
  const { records, log, now } = services;
  const { lane, nonce, receipt } = transaction;
  const { operations } = await findPayload(records, lane, nonce);
  const rows = await findReadable(services, operations);
  const isDone = doneCheck(transaction, receipt);
  const changes = operations.flatMap((operation, position) => {
    const row = rows[position];
    return row && isDone(operation, position) ? undoneChanges(row, operation) : [];
  });
  const wasFinal = transaction.state === 'final';
  const nonces = { minedNonce: nonce, ...(wasFinal ? { finalNonce: nonce } : {}) };
  // Because of the old time, `resubmit` sends them again at once.
  const attempts = transaction.attempts.map((attempt) => ({ ...attempt, sentAt: new Date(0).toISOString() }));
  const reopened = { state: 'pending', receipt: undefined, settledCount: 0, attempts } as const;
  const former = wasFinal ? { formerReceipt: receipt } : {};
  log.warn('transaction undone by a reorg', { lane, nonce });
  return writeState(services, state, { ...nonces, lowestSinceBlock: head.number }, [
    ...changes,
    ...changeTransaction(transaction, { ...reopened, ...former }, now()),
  ]);
}

/** Whether the chain differs from the lane. A retired key may have more transactions, and a revoked one fewer. */
export async function differsFromChain(services: LaneServices, state: LaneState): Promise<boolean> {
  const newestFinal = await newestMined(services, state.finalNonce);
  const snapshot = await readKeySnapshot(services, blocksOf(newestFinal));
  const { minedCount } = snapshot;
  const { nextNonce, retired } = state;
  if (minedCount < nextNonce && retired !== 'revoked') return true;
  return (minedCount > nextNonce && !retired) || isUndone(newestFinal, snapshot);
}

interface FinalTransactions {
  readonly newestFinal: Transaction | undefined;
  readonly snapshot: ChainSnapshot;
}

/** Reopens final transactions whose blocks were replaced. A lagging provider shows no other block at their numbers. */
export async function repairDeepReorg(services: LaneServices, state: LaneState, known: FinalTransactions) {
  const { newestFinal, snapshot } = known;
  const lowest =
    newestFinal && isUndone(newestFinal, snapshot)
      ? await lowestUndone(services, newestFinal)
      : await lowestFreed(services, state, known);
  if (lowest === undefined) return state;
  const error = new Error(`nonces from ${lowest} were final and are undone`);
  services.log.error('reorg deeper than confirmations', error, { lane: state.lane });
  return reopenFrom(services, state, lowest, snapshot.head);
}

async function lowestUndone(services: LaneServices, { nonce }: Transaction): Promise<number> {
  const below = await newestMined(services, nonce);
  const isLowest = !below || !isUndone(below, await readKeySnapshot(services, blocksOf(below)));
  return isLowest ? nonce : lowestUndone(services, below);
}

/** Finds the lowest nonce that the lane counts as used without a receipt, but that is free on the chain. */
async function lowestFreed(
  services: LaneServices,
  state: LaneState,
  { newestFinal, snapshot }: FinalTransactions,
) {
  if (snapshot.minedCount >= state.finalNonce || state.retired === 'revoked') return undefined;
  const used = await finalMinedCount(services, state);
  if (used === undefined) return undefined;
  // Nonces up to the newest one with a receipt are used.
  const lowest = Math.max(used, (newestFinal?.nonce ?? -1) + 1);
  return lowest < state.finalNonce ? lowest : undefined;
}
