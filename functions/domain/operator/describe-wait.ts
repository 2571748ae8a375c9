import { type Address, formatEther } from 'viem';
import { ageLimits, blockAgeSeconds, durationText } from '../age-limits.ts';
import type { ChainSnapshot, SignerFeeData } from '../chain.ts';
import type { LaneState, Transaction } from '../lane/lane.ts';
import { maySendFrom } from '../lane/served-queues.ts';
import { estimateFees } from '../sending/fees.ts';
import { gasAllowance } from '../sending/funds.ts';
import type { ChainSettings } from '../settings.ts';

export interface KeyOnChain {
  readonly snapshot: ChainSnapshot;
  readonly feeData: SignerFeeData;
  /** Forwarders that have queued operations and reject the key's calls. */
  readonly refusing: readonly Address[];
}

export interface QueueLength {
  readonly delegateAddress: Address;
  readonly length: number;
  /** Whether there are more operations than were counted. */
  readonly more: boolean;
  /** Time at which the oldest counted operation was queued. */
  readonly oldestQueuedAt: string | null;
  /** Time of the next attempt, if all counted operations are postponed. */
  readonly nextTryAt: string | null;
}

export interface LaneConditions {
  readonly lane: string;
  readonly state: LaneState | undefined;
  /** Transactions that are not final, lowest nonce first. */
  readonly transactions: readonly Transaction[];
  readonly queues: readonly QueueLength[];
  readonly chain: KeyOnChain | null;
  readonly settings: ChainSettings;
  readonly now: Date;
}

/** Approximate gas limit of an operation, enough to determine whether the lane can pay for one. */
const approximateGas = 150_000n;

/** Describes what the lane waits for. If there are several reasons, returns the first that must be resolved. */
export function describeWait(lane: LaneConditions): string {
  const { state, transactions, chain, settings, now } = lane;
  if (state?.paused !== undefined) return `paused: ${state.paused}`;
  const waiting = lane.queues.find(({ length }) => length > 0);
  const pending = transactions.find((transaction) => transaction.state === 'pending');
  const [lowest] = transactions;
  const freed = describeFreed(state, chain);
  if (freed !== undefined) return freed;
  if (!waiting && !lowest) return 'nothing';
  if (!chain) return 'chain unreachable';
  const headAge = blockAgeSeconds(chain.snapshot.head, now);
  if (headAge > ageLimits(settings).head) return `a new block: the newest is ${durationText(headAge)} old`;
  if (pending) return describePending(pending, state, chain, settings);
  if (waiting) return describeQueue(lane, waiting, chain);
  return lowest ? describeMined(lowest, chain, settings) : 'nothing';
}

/** Descriptions of waits that end without an operator. */
const usualWaits =
  /^(nothing$|the (next block|lane's next tick|first signature|receipt)|finality of|a final block|\d{4}-)/;

/** Whether an operator should act on what `describeWait` returned. */
export const needsOperator = (wait: string): boolean => !usualWaits.test(wait);

/** Describes a nonce that a reorg freed. A lagging provider shows the same, so only a final block decides. */
function describeFreed(state: LaneState | undefined, chain: KeyOnChain | null): string | undefined {
  const { finalNonce = 0, retired } = state ?? {};
  const minedCount = chain?.snapshot.minedCount ?? finalNonce;
  if (minedCount >= finalNonce || retired === 'revoked') return undefined;
  return `a final block that shows nonce ${minedCount} used or free: the lane counts all below ${finalNonce} as final`;
}

function describePending(
  { nonce, attempts, canceling, gasLimit, rollupFee = 0n, lostTo }: Transaction,
  state: LaneState | undefined,
  { feeData, snapshot }: KeyOnChain,
  settings: ChainSettings,
): string {
  if (snapshot.minedCount > nonce) return `the receipt of nonce ${nonce}, which the chain shows as used`;
  const newest = attempts.at(-1);
  if (lostTo && !newest?.cancels) return `a final block that shows nonce ${nonce} free, to fill it`;
  const cost = newest && gasLimit * newest.maxFeePerGas + rollupFee;
  if (cost !== undefined && !newest?.cancels && feeData.balance < cost) {
    return `funds: nonce ${nonce} may cost ${formatEther(cost)}, and ${formatEther(feeData.balance)} is on the key's account`;
  }
  if (!estimateFees(feeData, settings)) return describeCap(state, settings);
  if (newest?.refused && cost !== undefined)
    return `lower fees: no provider accepts the transaction with nonce ${nonce}, because it may cost ${formatEther(cost)}`;
  if (!newest) return `the first signature of nonce ${nonce}`;
  return canceling ? `the next block, or the cancellation of nonce ${nonce}` : 'the next block';
}

function describeCap(state: LaneState | undefined, { maxFeePerGasGwei }: ChainSettings): string {
  const since = state?.cappedSince === undefined ? '' : ` since ${state.cappedSince}`;
  return `lower fees: the current fees are above the cap of ${maxFeePerGasGwei} gwei${since}`;
}

function describeQueue(
  { state, settings, now }: LaneConditions,
  { delegateAddress, nextTryAt }: QueueLength,
  { feeData, refusing }: KeyOnChain,
): string {
  if (state?.retired && !maySendFrom(state, { chainId: settings.chainId, delegateAddress })) {
    return `another signer: this one is ${state.retired}`;
  }
  if (refusing.includes(delegateAddress))
    return `the forwarder ${delegateAddress}, whose admin must add the key as an operator`;
  const fees = estimateFees(feeData, settings);
  if (!fees) return describeCap(state, settings);
  const allowance = gasAllowance({ state: state ?? {}, pending: [], feeData, fees }, settings, now);
  if (allowance.gas < approximateGas) return allowance.reason.message;
  return nextTryAt === null
    ? "the lane's next tick"
    : `${nextTryAt}: no queued operation can be sent before then`;
}

function describeMined(
  { nonce, receipt }: Transaction,
  { snapshot }: KeyOnChain,
  { confirmations }: ChainSettings,
): string {
  const { blockNumber = snapshot.head.number + 1 } = receipt ?? {};
  if (confirmations === 'finalized')
    return `finality of nonce ${nonce} (block ${blockNumber}; finalized is ${snapshot.finalNumber})`;
  const depth = Math.max(0, snapshot.head.number - blockNumber + 1);
  return `finality of nonce ${nonce} (${depth} of ${confirmations} confirmations)`;
}
