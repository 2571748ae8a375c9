import type { Address } from 'viem';
import type { Chain, ChainSnapshot } from '../chain.ts';
import { type LaneState, parseLane, type Transaction } from '../lane/lane.ts';
import { changedTransaction, changeTransaction, findPayload } from '../lane/transaction-records.ts';
import { type LostRace, lostRace } from '../records.ts';
import type { Services } from '../services.ts';
import { batchLimits } from './batch-call.ts';
import { broadcast, rebroadcast, type Sendable, type Terms } from './broadcast.ts';
import { maySign } from './derivation.ts';
import { cancellationFees, estimateFees, firstCancellationFees, replacementFees } from './fees.ts';
import { insufficientFunds } from './funds.ts';

/**
 * Blocks for which a transaction has been the lowest unmined one, and its newest attempt out, before it is replaced.
 */
const replacementBlocks = 3;

/** Seconds for which its newest attempt has been out before a transaction is replaced. */
const replacementSeconds = 12;

/** Seconds after which the same bytes are sent again, at the fee cap and behind the lowest nonce. */
const rebroadcastSeconds = 60;

/** Open transactions of a lane, with the lane's state and the snapshot of the tick. */
export interface OpenTransactions {
  readonly state: LaneState;
  /** Unmined transactions, lowest nonce first. */
  readonly open: readonly Transaction[];
  readonly snapshot: ChainSnapshot;
}

/**
 * Resubmits the open transactions of a lane: signs those that a crash left unsigned, replaces the lowest when it is
 * stuck, and sends the others again after a minute.
 */
export async function resubmit(services: Services, chain: Chain, lane: OpenTransactions): Promise<void> {
  for (const transaction of lane.open) await resubmitOne(services, chain, transaction, lane);
}

async function resubmitOne(
  services: Services,
  chain: Chain,
  read: Transaction,
  { state, snapshot }: OpenTransactions,
): Promise<void> {
  const { lane, nonce } = read;
  if (snapshot.minedCount > nonce) {
    // Either a provider lags or another program used the nonce: another attempt would be useless in both cases.
    services.log.warn('nonce mined without receipt', { lane, nonce });
    return;
  }
  const isLowest = nonce === state.minedNonce;
  const transaction = isLowest ? await cancelOverdue(services, read) : read;
  if (transaction.attempts.length === 0) return sendFirst(services, chain, transaction);
  const isCancelled = transaction.attempts.at(-1)?.cancels;
  const toCancel = transaction.cancelling && !isCancelled;
  const isTooCheap = paysLessThanBaseFee(transaction, snapshot);
  const isDue = toCancel || (isLowest && (isTooCheap || isStuck(services, state, transaction, snapshot)));
  if (isDue && (await replace(services, chain, transaction))) return;
  if (!isTooCheap && secondsOut(services, transaction) >= rebroadcastSeconds) {
    await rebroadcast(services, chain, await sendableOf(services, transaction));
  }
}

/** Some roll-ups refuse such an attempt and keep nothing of it: it does not become better by waiting. */
function paysLessThanBaseFee({ attempts }: Transaction, { head }: ChainSnapshot): boolean {
  const newest = attempts.at(-1);
  return newest !== undefined && newest.maxFeePerGas < (head.baseFee ?? 0n);
}

async function sendableOf({ records }: Services, transaction: Transaction): Promise<Sendable> {
  return { transaction, payload: await findPayload(records, transaction.lane, transaction.nonce) };
}

/** Fee data for the next attempt, its gas limit, and its terms beside the fees. */
async function nextAttempt(chain: Chain, { lane, cancelling, gasLimit: bound }: Transaction) {
  const { signerAddress } = parseLane(lane);
  const gas = cancelling ? cancellationGas(chain, signerAddress) : bound;
  const [feeData, gasLimit] = await Promise.all([chain.feeData(signerAddress), gas]);
  const cancellation = cancelling ? ({ cancels: true, gasLimit } as const) : {};
  return { feeData, gasLimit, terms: { signedAtBlock: feeData.blockNumber, ...cancellation } };
}

/** Twice the estimate: on some roll-ups what publishing costs is part of the gas, and it changes. */
async function cancellationGas(chain: Chain, signerAddress: Address): Promise<bigint> {
  const generous = 2n * (await chain.emptyTransferGas(signerAddress));
  return generous < batchLimits.gas ? generous : batchLimits.gas;
}

async function sendFirst(services: Services, chain: Chain, transaction: Transaction): Promise<void> {
  const { feeData, terms } = await nextAttempt(chain, transaction);
  const estimate = transaction.cancelling ? firstCancellationFees : estimateFees;
  const fees = estimate(feeData, chain.settings);
  if (fees) await sign(services, chain, transaction, { ...fees, ...terms });
}

/** Signs and sends an attempt of a stored transaction, if its attestations make it. */
async function sign(services: Services, chain: Chain, transaction: Transaction, terms: Terms): Promise<void> {
  const sendable = await sendableOf(services, transaction);
  if (await maySign(services, chain, sendable)) await broadcast(services, chain, sendable, terms);
}

function isStuck(
  services: Services,
  state: LaneState,
  transaction: Transaction,
  { head }: ChainSnapshot,
): boolean {
  const since = Math.max(state.lowestSinceBlock, transaction.attempts.at(-1)?.signedAtBlock ?? 0);
  return head.number - since >= replacementBlocks && secondsOut(services, transaction) >= replacementSeconds;
}

function secondsOut({ now }: Services, { attempts }: Transaction): number {
  return (now().getTime() - Date.parse(attempts.at(-1)?.sentAt ?? '')) / 1000;
}

/** Whether a replacement could be offered. */
async function replace(services: Services, chain: Chain, transaction: Transaction): Promise<boolean> {
  const last = transaction.attempts.at(-1);
  const { feeData, gasLimit, terms } = await nextAttempt(chain, transaction);
  const raise = transaction.cancelling ? cancellationFees : replacementFees;
  const fees = last && raise(last, feeData, chain.settings);
  const { lane, nonce, rollupFee = 0n } = transaction;
  const isAffordable = fees && feeData.balance >= gasLimit * fees.maxFeePerGas + rollupFee;
  if (isAffordable) {
    await sign(services, chain, transaction, { ...fees, ...terms });
    return true;
  }
  // An attempt that the account cannot pay would only keep the payable one from being sent again.
  if (fees) services.log.error('lane short of means', insufficientFunds(feeData), { lane, nonce });
  else services.log.warn('fee cap reached', { lane, nonce });
  return false;
}

/**
 * Records that a transaction is to be cancelled. From then on an empty transfer at its nonce is sent instead. Either
 * may be mined, and the transaction's operations stay bound until the final receipt decides.
 */
export async function markCancelling(
  { records, now }: Services,
  transaction: Transaction,
): Promise<Transaction | LostRace> {
  const change = { cancelling: true } as const;
  const marked = await records.update(changeTransaction(transaction, change, now()));
  return marked ? changedTransaction(transaction, change) : lostRace;
}

/** Cancels a transaction whose nonce was assigned more than `maxBoundHours` ago; returns any other unchanged. */
async function cancelOverdue(services: Services, transaction: Transaction): Promise<Transaction> {
  const { lane, nonce, boundAt, cancelling } = transaction;
  const hours = services.settings.maxBoundHours;
  const isOverdue = services.now().getTime() - Date.parse(boundAt) >= hours * 3_600_000;
  if (cancelling || !isOverdue) return transaction;
  services.log.error('transaction overdue, cancelling', new Error(`unmined for ${hours} h`), { lane, nonce });
  const marked = await markCancelling(services, transaction);
  return marked === lostRace ? transaction : marked;
}
