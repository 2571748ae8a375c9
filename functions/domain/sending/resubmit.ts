import type { ChainSnapshot } from '../chain.ts';
import type { LaneState, Transaction } from '../lane/lane.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { findPayload, updateTransaction } from '../lane/transaction-records.ts';
import { unlessLost } from '../records.ts';
import { batchLimits } from './batch-call.ts';
import { broadcast, type Sendable, signAndSend } from './broadcast.ts';
import { maySign } from './derivation.ts';
import { estimateFees, policyFor, replacementFees } from './fees.ts';
import { gasCost, insufficientFunds } from './funds.ts';

/** Blocks since a transaction became the lowest, and since its newest attempt, before it is replaced. */
const replacementBlocks = 3;

/** Seconds since its newest attempt before a transaction is replaced. */
const replacementSeconds = 12;

/** Seconds after which the same bytes are sent again, for transactions at the fee cap or above the lowest nonce. */
const rebroadcastSeconds = 60;

export interface OpenTransactions {
  readonly state: LaneState;
  readonly open: readonly Transaction[];
  readonly snapshot: ChainSnapshot;
}

/** Signs what a crash left unsigned, replaces a stuck lowest transaction, and rebroadcasts others each minute. */
export async function resubmit(services: LaneServices, lane: OpenTransactions): Promise<void> {
  for (const transaction of lane.open) await resubmitOne(services, transaction, lane);
}

async function resubmitOne(services: LaneServices, read: Transaction, { state, snapshot }: OpenTransactions) {
  const { lane, nonce } = read;
  if (snapshot.minedCount > nonce) {
    // Either a provider lags or another program used the nonce. Another attempt would not help in either case.
    services.log.warn('nonce mined without receipt', { lane, nonce });
    return;
  }
  const isLowest = nonce === state.minedNonce;
  const transaction = isLowest ? await cancelOverdue(services, read) : read;
  const newest = transaction.attempts.at(-1);
  const secondsOut = newest ? (services.now().getTime() - Date.parse(newest.sentAt)) / 1000 : 0;
  const toCancel = transaction.cancelling && !newest?.cancels;
  const { head } = snapshot;
  // Some roll-ups refuse and drop such an attempt, so waiting does not help.
  const isTooCheap = newest !== undefined && newest.maxFeePerGas < (head.baseFee ?? 0n);
  const stuckBlocks = head.number - Math.max(state.lowestSinceBlock, newest?.signedAtBlock ?? 0);
  const isStuck = stuckBlocks >= replacementBlocks && secondsOut >= replacementSeconds;
  const isStale = isLowest && (isTooCheap || isStuck);
  if ((!newest || newest.refused || toCancel || isStale) && (await offer(services, transaction))) return;
  // It may be too cheap to be mined, but no node is known to accept more, and the account may have funds again.
  if ((!isTooCheap || newest?.refused) && secondsOut >= rebroadcastSeconds)
    await broadcast(services, await sendableOf(services, transaction));
}

async function sendableOf({ records }: LaneServices, transaction: Transaction): Promise<Sendable> {
  return { transaction, payload: await findPayload(records, transaction.lane, transaction.nonce) };
}

/** After all providers refused an attempt, the next one must cost less. @returns whether an attempt was made */
async function offer(services: LaneServices, transaction: Transaction): Promise<boolean> {
  const { laneChain, signerAddress } = services;
  if (laneChain.settingsUnread) return false;
  const { lane, nonce, attempts, cancelling, rollupFee = 0n } = transaction;
  const newest = attempts.at(-1);
  const last = attempts.findLast(({ refused }) => !refused);
  const [feeData, gasLimit] = await Promise.all([
    laneChain.feeData(signerAddress),
    cancelling ? cancellationGas(services) : transaction.gasLimit,
  ]);
  const policy = policyFor(laneChain.settings, gasLimit, cancelling);
  const fees = last ? replacementFees(last, feeData, policy) : estimateFees(feeData, policy);
  if (!fees) {
    services.log.warn('fee cap reached', { lane, nonce });
    return false;
  }
  const isLess = newest && 10n * gasLimit * fees.maxFeePerGas <= 9n * gasCost(transaction, newest);
  // If no block would include it any more, there is no point in waiting.
  if (newest?.refused && newest.maxFeePerGas >= feeData.baseFee && !isLess) return false;
  // An unaffordable attempt would prevent the rebroadcast of the affordable one.
  if (feeData.balance < gasLimit * fees.maxFeePerGas + rollupFee) {
    services.log.error('lane cannot pay', insufficientFunds(feeData), { lane, nonce });
    return false;
  }
  const terms = { ...fees, signedAtBlock: feeData.blockNumber };
  const sendable = await sendableOf(services, transaction);
  if (await maySign(services, sendable))
    await signAndSend(services, sendable, cancelling ? { ...terms, cancels: true, gasLimit } : terms);
  return true;
}

/** Twice the estimate: on some roll-ups, the cost of publishing is part of the gas and varies. */
async function cancellationGas({ laneChain, signerAddress }: LaneServices): Promise<bigint> {
  const generous = 2n * (await laneChain.emptyTransferGas(signerAddress));
  return generous < batchLimits.gas ? generous : batchLimits.gas;
}

/** `maxBoundHours` after a transaction got its nonce, an empty transfer uses the nonce. */
async function cancelOverdue(services: LaneServices, transaction: Transaction): Promise<Transaction> {
  const { lane, nonce, boundAt, cancelling } = transaction;
  const hours = services.settings.maxBoundHours;
  const isOverdue = services.now().getTime() - Date.parse(boundAt) >= hours * 3_600_000;
  if (cancelling || !isOverdue) return transaction;
  services.log.error('transaction overdue, cancelling', new Error(`unmined for ${hours} h`), { lane, nonce });
  return (await unlessLost(updateTransaction(services, transaction, { cancelling: true }))) ?? transaction;
}
