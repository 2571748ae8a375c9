import type { ChainSnapshot } from '../chain.ts';
import { LostRaceError } from '../errors.ts';
import type { LaneState, Transaction } from '../lane/lane.ts';
import { findLaneState, writeState } from '../lane/lane-records.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { findTransaction, newestMined, transactionsFrom } from '../lane/transaction-records.ts';
import { catchRace } from '../records.ts';
import type { PendingTransactions } from '../sending/resubmit.ts';
import { findLoss, type LaneView, mayFill } from './lost-nonce.ts';
import { blocksOf, isUndone, reopenFrom, repairDeepReorg } from './reorg.ts';
import { type Settlement, settle } from './settle-transaction.ts';

const maxSettleTries = 4;

export interface SettledLane extends PendingTransactions {
  /** Transactions that are mined and not final, lowest nonce first. */
  readonly mined: readonly Transaction[];
}

/** Settles mined transactions, from the lowest nonce on, and reopens those that a reorg undid. */
export async function settleMined(services: LaneServices, initialState: LaneState): Promise<SettledLane> {
  const [newestFinal, transactions] = await Promise.all([
    newestMined(services, initialState.finalNonce),
    transactionsFrom(services.records, initialState),
  ]);
  const snapshot = await services.laneChain.snapshot({
    signerAddress: services.signerAddress,
    // Only hashes of pending transactions: a mined one is identified by its block.
    hashes: transactions.flatMap(({ state, attempts }) =>
      state === 'pending' ? attempts.map(({ hash }) => hash) : [],
    ),
    blockNumbers: blocksOf(newestFinal, ...transactions),
  });
  const repaired = await repairDeepReorg(services, initialState, { newestFinal, snapshot });
  if (repaired !== initialState) return settledLane(services, repaired, snapshot);
  const undone = transactions.find((transaction) => isUndone(transaction, snapshot));
  let state = await pauseIfAhead(services, initialState, snapshot);
  for (const transaction of transactions) {
    if (transaction === undone) break;
    state = await settleOne(services, { state, transaction, snapshot });
  }
  if (undone) state = await reopenFrom(services, state, undone.nonce, snapshot.head);
  return settledLane(services, state, snapshot);
}

async function settledLane(services: LaneServices, state: LaneState, snapshot: ChainSnapshot) {
  const unsettled = await transactionsFrom(services.records, state);
  const mined = unsettled.filter((transaction) => transaction.state === 'mined');
  const pending: Transaction[] = [];
  for (const transaction of unsettled.filter((each) => each.state === 'pending'))
    if (!transaction.lostTo || (await mayFill(services, state, transaction))) pending.push(transaction);
  return { state, snapshot, pending, mined };
}

/** Pauses the lane if another program used the key: nonces would collide. Mined transactions are still settled. */
async function pauseIfAhead(services: LaneServices, state: LaneState, { minedCount }: ChainSnapshot) {
  const { nextNonce, paused: reason, retired } = state;
  if (minedCount <= nextNonce || reason !== undefined || retired === 'revoked') return state;
  const paused = `the chain has ${minedCount} transactions of the key, the lane only ${nextNonce}`;
  // If the lane changed meanwhile, it may have sent those transactions. The next tick decides.
  return writeState(services, state, { paused });
}

/** Settles one transaction. Returns the same state if the chain shows nothing new. */
async function settleOne(services: LaneServices, view: LaneView): Promise<LaneState> {
  let { state, transaction } = view;
  for (let tries = 0; tries < maxSettleTries; tries++) {
    const settlement = await settlementOf(services, { ...view, state, transaction });
    if (!settlement) return state;
    const settled = await catchRace(settle(services, settlement));
    if (settled) return settled;
    state = (await findLaneState(services.records, state.lane)) ?? state;
    transaction = (await findTransaction(services.records, state.lane, transaction.nonce)) ?? transaction;
  }
  throw new LostRaceError();
}

async function settlementOf(services: LaneServices, view: LaneView): Promise<Settlement | undefined> {
  const { state, transaction, snapshot } = view;
  const { head, finalNumber } = snapshot;
  const receipt = minedReceipt(transaction, snapshot);
  const isLowestUnsettled = state.finalNonce === transaction.nonce;
  if (!receipt) {
    const mayBeLost = isLowestUnsettled && transaction.state === 'pending';
    const lostTo = mayBeLost && (await findLoss(services, view));
    return lostTo ? { state, transaction, lostTo, final: true, head } : undefined;
  }
  const final = receipt.blockNumber <= finalNumber && isLowestUnsettled;
  // If it is mined above a nonce that seems unmined, the provider lags, and a later tick shows both.
  const hasNews = state.minedNonce === transaction.nonce || (final && transaction.state === 'mined');
  return hasNews ? { state, transaction, receipt, final, head } : undefined;
}

/** Finds a transaction's receipt. For a mined one, returns the recorded receipt while its block is canonical. */
function minedReceipt(transaction: Transaction, { blockHashes, receipts }: ChainSnapshot) {
  const { state, receipt, attempts } = transaction;
  if (state === 'final') return undefined;
  if (receipt) return blockHashes.get(receipt.blockNumber) === receipt.blockHash ? receipt : undefined;
  return attempts.map(({ hash }) => receipts.get(hash)).find((one) => one !== undefined);
}
