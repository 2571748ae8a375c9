import type { Address, Hash } from 'viem';
import type { Fees } from '../chain.ts';
import type { LaneState, Transaction } from '../lane/lane.ts';
import type { ChainSigner } from '../lane/signers.ts';

/** Transaction that is not final, as operators see it. */
export interface UnsettledTransaction {
  readonly nonce: number;
  readonly state: Transaction['state'];
  readonly operationCount: number;
  readonly attemptCount: number;
  /** Hash of the newest attempt, or of the mined one; `null` before the first signature. */
  readonly hash: Hash | null;
  /** Fees of the newest attempt, in wei per gas. */
  readonly fees: Fees | null;
  readonly sentAt: string | null;
  readonly cancelling: boolean;
}

/** Length of one delegate's queue. */
export interface QueueLength {
  readonly delegateAddress: Address;
  readonly length: number;
  /** Whether there are more operations than were counted. */
  readonly more: boolean;
  /** Time at which the oldest of the counted operations was queued. */
  readonly oldestQueuedAt: string | null;
  /** Time of the next try, while all that were counted are put off. */
  readonly nextTryAt: string | null;
}

/** State of the lane's chain, in wei and whole numbers. */
export interface ChainShown {
  readonly headNumber: number;
  /** Age of the newest block; negative while the chain's clock is ahead of ours. */
  readonly headAgeSeconds: number;
  /** Transactions of the key up to the head; more than `nonces.next` mean that another program uses the key. */
  readonly transactionCount: number;
  readonly balanceWei: bigint;
  readonly baseFeeWei: bigint;
  readonly tipWei: bigint;
}

/** Ages of what has waited longest, in whole seconds; `null` where nothing waits. */
export interface OldestAges {
  /** Lowest unmined transaction of the lane, since it was bound. */
  readonly unminedSeconds: number | null;
  /** Operation in a queue of the lane, of those counted. */
  readonly queuedSeconds: number | null;
  /** Attestation of the chain that is neither confirmed nor failed, since it was accepted. */
  readonly unfinishedSeconds: number | null;
}

/** Status of a lane, as operators see it. */
export interface LaneStatus {
  readonly lane: string;
  readonly signerAddress: Address;
  /** `unknown` when the deployment does not have the key, for example because it was replaced. */
  readonly signerState: ChainSigner['state'] | 'unknown';
  readonly paused: string | null;
  readonly retired: NonNullable<LaneState['retired']> | null;
  /** `null` before the lane's first transaction. */
  readonly nonces: { readonly next: number; readonly mined: number; readonly final: number } | null;
  readonly unsettled: readonly UnsettledTransaction[];
  readonly queues: readonly QueueLength[];
  readonly oldest: OldestAges;
  /** `null` while the chain cannot be reached. */
  readonly chain: ChainShown | null;
  readonly feeCapGwei: number;
  readonly spentTodayWei: bigint;
  /** Budget of the lane for a day (UTC), in the chain's own coin. */
  readonly dailyFeeBudget: number | null;
  /** Receipt of the newest mined transaction that is still recorded. */
  readonly lastReceipt: { readonly hash: Hash; readonly blockNumber: number } | null;
  /** Result of `waitingFor`: one sentence. */
  readonly waitingFor: string;
}
