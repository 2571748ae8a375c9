import type { Chain, ChainSnapshot, Receipt } from '../chain.ts';
import { LostRaceError } from '../errors.ts';
import { type LaneState, parseLane, type Transaction } from '../lane/lane.ts';
import { findLaneState, writeState } from '../lane/lane-records.ts';
import { findTransaction, newestMined, transactionsFrom } from '../lane/transaction-records.ts';
import { unlessLost } from '../records.ts';
import type { OpenTransactions } from '../sending/resubmit.ts';
import type { Services } from '../services.ts';
import { lossOf, mayFill } from './lost-nonce.ts';
import { isUndone, reopenFrom, repairFinals } from './reorganisation.ts';
import { settle } from './settle-transaction.ts';
import type { Settlement } from './transaction-outcome.ts';

/** Tries of a settlement that loses a race: dispatches change the lane while a transaction is settled. */
const maxSettleTries = 4;

/** A lane after its settlement. */
export interface SettledLane extends OpenTransactions {
  /** Transactions that are mined and not final, lowest nonce first. */
  readonly mined: readonly Transaction[];
}

/**
 * Reads the chain once and settles what it shows, from the lowest nonce up; reopens what a reorganisation undid.
 *
 * @throws LostRaceError when other functions kept changing the lane: the next tick tries again
 */
export async function settleMined(services: Services, chain: Chain, read: LaneState): Promise<SettledLane> {
  const [newestFinal, transactions] = await Promise.all([
    newestMined(services.records, read.lane, read.finalNonce),
    transactionsFrom(services.records, read),
  ]);
  const mined = [...(newestFinal ? [newestFinal] : []), ...transactions];
  const snapshot = await chain.snapshot({
    signerAddress: parseLane(read.lane).signerAddress,
    // Of open transactions only: a mined one is known by its block.
    hashes: transactions.flatMap(({ state, attempts }) =>
      state === 'open' ? attempts.map(({ hash }) => hash) : [],
    ),
    blockNumbers: [...new Set(mined.flatMap(({ receipt }) => receipt?.blockNumber ?? []))],
  });
  const repaired = await repairFinals(services, chain, read, { newestFinal, snapshot });
  if (repaired !== read) return settledLane(services, chain, repaired, snapshot);
  const undone = transactions.find((transaction) => isUndone(transaction, snapshot));
  let state = await pauseIfAhead(services, read, snapshot);
  for (const transaction of transactions) {
    if (transaction === undone) break;
    state = await settleOne(services, chain, { state, transaction, snapshot });
  }
  if (undone) state = await reopenFrom(services, state, undone.nonce, snapshot.head);
  return settledLane(services, chain, state, snapshot);
}

async function settledLane(
  { records }: Services,
  chain: Chain,
  state: LaneState,
  snapshot: ChainSnapshot,
): Promise<SettledLane> {
  const unsettled = await transactionsFrom(records, state);
  const mined = unsettled.filter((one) => one.state === 'mined');
  const open: Transaction[] = [];
  for (const one of unsettled.filter((unmined) => unmined.state === 'open'))
    if (!one.lostTo || (await mayFill(chain, state, one))) open.push(one);
  return { state, snapshot, open, mined };
}

/**
 * Pauses the lane when another program used the key: its nonces would collide with the lane's. Mined transactions are
 * settled nevertheless.
 */
async function pauseIfAhead(
  services: Services,
  state: LaneState,
  { minedCount }: ChainSnapshot,
): Promise<LaneState> {
  const { nextNonce, paused: known, retired } = state;
  if (minedCount <= nextNonce || known !== undefined || retired === 'revoked') return state;
  const paused = `the chain has ${minedCount} transactions of the key, the lane only ${nextNonce}`;
  // A lane that changed meanwhile may have sent what the chain shows: the next tick decides.
  return writeState(services, state, { paused });
}

/** One transaction of a lane and what the chain shows. */
interface LaneView {
  readonly state: LaneState;
  readonly transaction: Transaction;
  readonly snapshot: ChainSnapshot;
}

/** Settles one transaction. The lane's state is unchanged if the chain shows nothing new of it. */
async function settleOne(services: Services, chain: Chain, view: LaneView): Promise<LaneState> {
  let { state, transaction } = view;
  for (let tried = 0; tried < maxSettleTries; tried++) {
    const settlement = await settlementOf(services, chain, { ...view, state, transaction });
    if (!settlement) return state;
    const settled = await unlessLost(settle(services, chain, settlement));
    if (settled) return settled;
    state = (await findLaneState(services.records, state.lane)) ?? state;
    transaction = (await findTransaction(services.records, state.lane, transaction.nonce)) ?? transaction;
  }
  throw new LostRaceError();
}

async function settlementOf(
  services: Services,
  chain: Chain,
  { state, transaction, snapshot }: LaneView,
): Promise<Settlement | undefined> {
  const { head, finalNumber } = snapshot;
  const receipt = minedReceipt(transaction, snapshot);
  const isLowestUnsettled = state.finalNonce === transaction.nonce;
  if (!receipt) {
    const mayBeLost = isLowestUnsettled && transaction.state === 'open';
    const lostTo = mayBeLost && (await lossOf(services, chain, state, transaction, snapshot));
    return lostTo ? { state, transaction, lostTo, final: true, head } : undefined;
  }
  const final = receipt.blockNumber <= finalNumber && isLowestUnsettled;
  // Mined above a nonce that seems unmined: the provider lags, and a later tick shows both.
  const isNews = state.minedNonce === transaction.nonce || (final && transaction.state === 'mined');
  return isNews ? { state, transaction, receipt, final, head } : undefined;
}

/** Receipt of a transaction: of a mined one as recorded, while its block is still where it was. */
function minedReceipt(
  { state, receipt, attempts }: Transaction,
  { blockHashes, receipts }: ChainSnapshot,
): Receipt | undefined {
  if (state === 'final') return undefined;
  if (receipt) return blockHashes.get(receipt.blockNumber) === receipt.blockHash ? receipt : undefined;
  return attempts.map(({ hash }) => receipts.get(hash)).find((one) => one !== undefined);
}
