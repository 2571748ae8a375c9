import type { Hash } from 'viem';
import { type LaneState, parseLane, type Transaction } from './lane.ts';
import {
  changedState,
  changeState,
  findLaneState,
  findTransaction,
  unsettledTransactions,
} from './lane-records.ts';
import type { OpenTransactions } from './nudge.ts';
import type { Chain, Receipt, Sighting } from './ports.ts';
import type { Services } from './services.ts';
import { settle } from './settle.ts';

/** Pumps change the lane while a transaction is being settled; a settlement that lost to one is tried again. */
const maxTries = 4;

/**
 * Looks at the chain once and settles what it shows, from the lowest nonce up.
 *
 * @returns what is still open; nothing when others were at the lane all the while, and the next turn looks again
 */
export async function settleMined(
  services: Services,
  chain: Chain,
  read: LaneState,
): Promise<OpenTransactions | undefined> {
  const transactions = await unsettledTransactions(services.records, read);
  const isOpen = (transaction: Transaction) => transaction.state === 'open';
  const hashes = transactions.flatMap(({ attempts }) => attempts.map(({ hash }) => hash));
  if (hashes.length === 0) return { state: read, open: transactions.filter(isOpen) };
  const sighting = await chain.sight(parseLane(read.lane).signerAddress, hashes);
  let state: LaneState | undefined = await pauseIfForeign(services, read, sighting);
  for (const transaction of transactions) {
    state = state && (await settleOne(services, chain, { state, transaction, sighting }));
  }
  if (!state) return undefined;
  const { minedNonce } = state;
  return { state, sighting, open: transactions.filter((one) => isOpen(one) && one.nonce >= minedNonce) };
}

/** Somebody else used the key: binding on would collide. What is mined is settled all the same. */
async function pauseIfForeign(
  services: Services,
  state: LaneState,
  { minedCount }: Sighting,
): Promise<LaneState | undefined> {
  if (minedCount <= state.nextNonce || state.paused !== undefined) return state;
  const paused = `the chain has ${minedCount} transactions of the key, the lane only ${state.nextNonce}`;
  // A lane that changed meanwhile may have bound and sent what the chain shows: the next turn looks again.
  if (!(await services.records.update(changeState(state, { paused })))) return undefined;
  return changedState(state, { paused });
}

interface Look {
  readonly state: LaneState;
  readonly transaction: Transaction;
  readonly sighting: Sighting;
}

/** The lane's state after looking at one transaction, unchanged if its receipt says nothing new. */
async function settleOne(services: Services, chain: Chain, look: Look): Promise<LaneState | undefined> {
  const receipt = receiptOf(look.transaction, look.sighting.receipts);
  let { state, transaction } = look;
  for (let tried = 0; tried < maxTries; tried++) {
    const final = isFinal(look.sighting, receipt, chain) && state.finalNonce === transaction.nonce;
    // Mined above a nonce that seems unmined: the provider lags, and a later look shows both.
    const isNext = state.minedNonce === transaction.nonce || (final && transaction.state === 'mined');
    if (!receipt || !isNext) return state;
    const { head } = look.sighting;
    const settled = await settle(services, chain, { state, transaction, receipt, final, head });
    if (settled) return settled;
    state = (await findLaneState(services.records, state.lane)) ?? state;
    transaction = (await findTransaction(services.records, state.lane, transaction.nonce)) ?? transaction;
  }
  return undefined;
}

function isFinal({ head }: Sighting, receipt: Receipt | undefined, { settings }: Chain): boolean {
  return receipt !== undefined && head.number - receipt.blockNumber + 1 >= settings.confirmations;
}

function receiptOf({ attempts }: Transaction, receipts: ReadonlyMap<Hash, Receipt>): Receipt | undefined {
  return attempts.map(({ hash }) => receipts.get(hash)).find((receipt) => receipt !== undefined);
}
