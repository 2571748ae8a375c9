import { type Address, getAddress, type Hex } from 'viem';
import type { AttestationKey, OperationKind } from './attestation.ts';

/** One registry call owed, waiting in the lane's queue. It exists once: its key is (attestation, kind). */
export interface Operation extends AttestationKey {
  readonly kind: OperationKind;
  readonly queuedAt: string;
  /** Transactions of it that reverted for no lasting reason. */
  readonly reverts?: number;
}

/** An operation inside a transaction, with the wish it carries if it is a link. */
export interface BoundOperation extends Operation {
  readonly childSequence?: number;
}

/** Fees in wei per gas, EIP-1559. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

/** One signed form of a transaction. Attempts of a nonce differ in fees only. */
export interface Attempt extends Fees {
  readonly hash: Hex;
  /** r, s and yParity in 65 bytes: with calldata and fees it rebuilds the raw bytes. */
  readonly signature: Hex;
  /** When its bytes last went out, or were about to. */
  readonly sentAt: string;
  /** The newest block when it was signed: replacement counts blocks from here. */
  readonly signedAtBlock: number;
}

/** One nonce of a lane, bound to one list of operations and one calldata for good. */
export interface Transaction {
  readonly schema: 1;
  readonly lane: string;
  readonly nonce: number;
  readonly operations: readonly BoundOperation[];
  readonly to: Address;
  readonly data: Hex;
  readonly gasLimit: bigint;
  readonly attempts: readonly Attempt[];
  readonly state: 'open' | 'mined' | 'final';
  /** Where it is mined, while `mined` or `final`. */
  readonly minedHash?: Hex;
  readonly blockHash?: Hex;
  readonly version: number;
}

/** The lane's own record. All nonces below `finalNonce` are final, below `minedNonce` mined, below `nextNonce` bound. */
export interface LaneState {
  readonly lane: string;
  readonly nextNonce: number;
  readonly minedNonce: number;
  readonly finalNonce: number;
  /** The newest block when the lowest open nonce became the lowest. */
  readonly lowestSinceBlock: number;
  /** Since when fees are above the chain's cap, if they are. */
  readonly cappedSince?: string;
  /** Why nothing may be bound, if so. */
  readonly paused?: string;
  /** Executions are named `<lane>-<run>`; a run that saw nothing to do raises it and ends. */
  readonly run: number;
  readonly lastOrganizationId?: string;
  readonly version: number;
}

/** The lane of one signing key on one chain. */
export function laneName(chainId: number, signerAddress: Address): string {
  return `${chainId}-${getAddress(signerAddress)}`;
}

/** The two parts of a lane's name. */
export function parseLane(lane: string): { chainId: number; signerAddress: Address } {
  const [chainId, signerAddress] = lane.split('-');
  return { chainId: Number(chainId), signerAddress: getAddress(signerAddress ?? '') };
}
