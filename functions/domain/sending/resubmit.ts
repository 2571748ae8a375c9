import type { ChainSnapshot } from '../chain.ts';
import type { LaneState, Transaction } from '../lane/lane.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { findPayload, updateTransaction } from '../lane/transaction-records.ts';
import { catchRace } from '../records.ts';
import { batchLimits } from './batch-call.ts';
import { broadcast, type Sendable, signAndSend } from './broadcast.ts';
import { maySign } from './derivation.ts';
import { estimateFees, policyFor, replacementFees } from './fees.ts';
import { gasCost, insufficientFunds } from './funds.ts';

/** Blocks to wait before replacing a transaction, since it became the lowest and since its newest attempt. */
const replacementBlocks = 3;

/** Seconds to wait before replacing a transaction, since its newest attempt. */
const replacementSeconds = 12;

/** Seconds after which the same bytes are sent again, for transactions at the fee cap or above the lowest nonce. */
const rebroadcastSeconds = 60;

export interface PendingTransactions {
  readonly state: LaneState;
  readonly pending: readonly Transaction[];
  readonly snapshot: ChainSnapshot;
}

/** Signs transactions that a crash left unsigned, replaces a stuck lowest one, and rebroadcasts others each minute. */
export async function resubmit(services: LaneServices, lane: PendingTransactions): Promise<void> {
  for (const transaction of lane.pending) await resubmitOne(services, transaction, lane);
}

async function resubmitOne(
  services: LaneServices,
  read: Transaction,
  { state, snapshot }: PendingTransactions,
) {
  const { lane, nonce } = read;
  if (snapshot.minedCount > nonce) {
    // Either a provider lags or another program used the nonce. Another attempt would not help in either case.
    services.log.warn('nonce mined without receipt', { lane, nonce });
    return;
  }
  const isLowest = nonce === state.minedNonce;
  const transaction = isLowest ? await cancelOverdue(services, read) : read;
  const newest = transaction.attempts.at(-1);
  const secondsSinceSent = newest ? (services.now().getTime() - Date.parse(newest.sentAt)) / 1000 : 0;
  const mustCancel = transaction.canceling && !newest?.cancels;
  const { head } = snapshot;
  // Some rollups refuse and drop an attempt below the base fee, so waiting does not help.
  const isTooCheap = newest !== undefined && newest.maxFeePerGas < (head.baseFee ?? 0n);
  const stuckBlocks = head.number - Math.max(state.lowestSinceBlock, newest?.signedAtBlock ?? 0);
  const isStuck = stuckBlocks >= replacementBlocks && secondsSinceSent >= replacementSeconds;
  const isStale = isLowest && (isTooCheap || isStuck);
  if ((!newest || newest.refused || mustCancel || isStale) && (await attempt(services, transaction))) return;
  // A refused attempt is sent even if it is too cheap: nodes may refuse a costlier one too, and funds may have arrived.
  if ((!isTooCheap || newest?.refused) && secondsSinceSent >= rebroadcastSeconds)
    await broadcast(services, await sendableOf(services, transaction));
}

async function sendableOf({ records }: LaneServices, transaction: Transaction): Promise<Sendable> {
  return { transaction, payload: await findPayload(records, transaction.lane, transaction.nonce) };
}

/**
 * Makes an attempt. If no provider accepted the newest one, but a block may still include it, the new one must be
 * cheaper.
 * @returns false if settings, fees or funds allow no attempt
 */
async function attempt(services: LaneServices, transaction: Transaction): Promise<boolean> {
  const { laneChain, signerAddress } = services;
  if (laneChain.settingsUnread) return false;
  const { lane, nonce, attempts, canceling, rollupFee = 0n } = transaction;
  const newest = attempts.at(-1);
  const last = attempts.findLast(({ refused }) => !refused);
  const [feeData, gasLimit] = await Promise.all([
    laneChain.feeData(signerAddress),
    canceling ? cancellationGas(services) : transaction.gasLimit,
  ]);
  const policy = policyFor(laneChain.settings, gasLimit, canceling);
  const fees = last ? replacementFees(last, feeData, policy) : estimateFees(feeData, policy);
  if (!fees) {
    services.log.warn('fee cap reached', { lane, nonce });
    return false;
  }
  const isCheaper = newest && 10n * gasLimit * fees.maxFeePerGas <= 9n * gasCost(transaction, newest);
  // Keeps a refused attempt that a block may still include, unless the new one is cheaper.
  if (newest?.refused && newest.maxFeePerGas >= feeData.baseFee && !isCheaper) return false;
  // An unaffordable attempt would prevent the rebroadcast of the affordable one.
  if (feeData.balance < gasLimit * fees.maxFeePerGas + rollupFee) {
    services.log.error('lane cannot pay', insufficientFunds(feeData), { lane, nonce });
    return false;
  }
  const terms = { ...fees, signedAtBlock: feeData.blockNumber };
  const sendable = await sendableOf(services, transaction);
  if (await maySign(services, sendable))
    await signAndSend(services, sendable, canceling ? { ...terms, cancels: true, gasLimit } : terms);
  return true;
}

/** Twice the estimate: on some rollups, the cost of publishing is part of the gas and varies. */
async function cancellationGas({ laneChain, signerAddress }: LaneServices): Promise<bigint> {
  const doubled = 2n * (await laneChain.emptyTransferGas(signerAddress));
  return doubled < batchLimits.gas ? doubled : batchLimits.gas;
}

/** Cancels a transaction `maxBoundHours` after it got its nonce: an empty transfer uses the nonce. */
async function cancelOverdue(services: LaneServices, transaction: Transaction): Promise<Transaction> {
  const { lane, nonce, boundAt, canceling } = transaction;
  const hours = services.settings.maxBoundHours;
  const isOverdue = services.now().getTime() - Date.parse(boundAt) >= hours * 3_600_000;
  if (canceling || !isOverdue) return transaction;
  services.log.error('transaction overdue, canceling', new Error(`unmined for ${hours} h`), { lane, nonce });
  return (await catchRace(updateTransaction(services, transaction, { canceling: true }))) ?? transaction;
}
