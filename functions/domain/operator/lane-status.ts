import type { Address, Hash } from 'viem';
import type { Fees } from '../chain.ts';
import type { LaneState, Transaction } from '../lane/lane.ts';
import type { ChainSigner } from '../lane/signers.ts';

/** A transaction that is not final, as operators see it. */
export interface UnsettledTransaction {
  readonly nonce: number;
  readonly state: Transaction['state'];
  readonly operationCount: number;
  readonly attemptCount: number;
  /** Of the newest attempt, or where it is mined; `null` before the first signature. */
  readonly hash: Hash | null;
  /** Of the newest attempt, in wei per gas. */
  readonly fees: Fees | null;
  readonly sentAt: string | null;
  readonly cancelling: boolean;
}

/** What waits to be sent as one delegate. */
export interface QueueLength {
  readonly delegateAddress: Address;
  readonly length: number;
  /** There is more than was counted. */
  readonly more: boolean;
  /** Of those counted. */
  readonly oldestQueuedAt: string | null;
}

/** What the lane's chain shows; all of it in wei and whole numbers. */
export interface ChainShown {
  readonly headNumber: number;
  /** Transactions of the key up to the head: above `nonces.next`, somebody else uses it. */
  readonly transactionCount: number;
  readonly balanceWei: bigint;
  readonly baseFeeWei: bigint;
  readonly tipWei: bigint;
}

/** All that an operator may want to know of a lane at a glance. */
export interface LaneStatus {
  readonly lane: string;
  readonly signerAddress: Address;
  /** `unknown` when the deployment does not have the key: it had it before, say. */
  readonly signerState: ChainSigner['state'] | 'unknown';
  readonly paused: string | null;
  readonly retired: NonNullable<LaneState['retired']> | null;
  /** `null` before the lane's first transaction. */
  readonly nonces: { readonly next: number; readonly mined: number; readonly final: number } | null;
  readonly unsettled: readonly UnsettledTransaction[];
  readonly queues: readonly QueueLength[];
  /** `null` while it cannot be reached. */
  readonly chain: ChainShown | null;
  readonly feeCapGwei: number;
  readonly spentTodayWei: bigint;
  /** In the chain's own coin. */
  readonly dailyFeeBudget: number | null;
  /** Of the newest mined transaction that is still recorded. */
  readonly lastReceipt: { readonly hash: Hash; readonly blockNumber: number } | null;
  /** One sentence. */
  readonly waitingFor: string;
}
