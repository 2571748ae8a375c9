import type { Address, Hash, Hex } from 'viem';
import type { ChainSettings } from './settings.ts';

/** What the registry shows of one content under one authority, all at one block. */
export interface RegistryState {
  /** 0 when the authority has not attested the content. */
  readonly attestationIndex: number;
  /** Whom the authority delegates to; the zero address when to no one. */
  readonly delegateAddress: Address;
}

/** One attestation as the registry keeps it. */
export interface RegistryEntry {
  /** Block time of the reveal, in seconds since 1970. */
  readonly timestamp: number;
  /** 0 while it stands. */
  readonly revokedAt: number;
}

export interface ContentUnderAuthority {
  readonly registryAddress: Address;
  readonly digest: Hex;
  readonly authorityAddress: Address;
}

/** Views of a registry. */
export interface Registry {
  registryState(query: ContentUnderAuthority): Promise<RegistryState>;
  entry(registryAddress: Address, attestationIndex: number): Promise<RegistryEntry>;
}

export interface Block {
  readonly number: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

export interface SnapshotQuery {
  readonly signerAddress: Address;
  /** Whose receipts are wanted. */
  readonly hashes: readonly Hash[];
  /** Whose hashes are wanted, to see whether what was mined there still is. */
  readonly blockNumbers: readonly number[];
}

/** What one look at the chain shows; all of it from one provider. */
export interface ChainSnapshot {
  readonly head: Block;
  /** Transactions of the signer mined up to the head. */
  readonly minedCount: number;
  readonly receipts: ReadonlyMap<Hash, Receipt>;
  /** Of the blocks asked for, those that the provider has. */
  readonly blockHashes: ReadonlyMap<number, Hash>;
}

/** Fee data of the chain: the next block's base fee and a tip that recent blocks took, in wei. */
export interface FeeData {
  /** The newest block when it was read. */
  readonly blockNumber: number;
  readonly baseFee: bigint;
  readonly tip: bigint;
  /** The chain knows no EIP-1559: the base fee is 0 and the tip is the gas price. */
  readonly legacy?: true;
}

/** Fee data, and what the signer has to pay with. */
export interface SignerFeeData extends FeeData {
  /** In wei, at the newest block. */
  readonly balance: bigint;
}

export interface Call {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
}

/** What a transaction would do, tried at the newest block. */
export interface Simulation {
  readonly feeData: SignerFeeData;
  /** What it takes, as the node estimates; absent when a call that is the whole transaction would revert. */
  readonly gas?: bigint;
  /** Why calls in it would revert, in words, by their position. */
  readonly failures: ReadonlyMap<number, string>;
}

/** The chain at the end of its final block, as one provider shows it. */
export interface FinalView extends Registry {
  readonly block: Block;
  /** Transactions of the account mined up to there. */
  minedCount(signerAddress: Address): Promise<number>;
  /** Whether the forwarder takes calls from the signer. */
  isOperator(forwarderAddress: Address, signerAddress: Address): Promise<boolean>;
  /** Why the call reverts there, in words; `undefined` when it does not. */
  revertReason(call: Call): Promise<string | undefined>;
}

/** @throws ChainUnreachableError from every function. */
export interface Chain {
  /** At the newest block. */
  readonly registry: Registry;
  readonly settings: ChainSettings;
  head(): Promise<Block>;
  /**
   * Asks what may only be believed of the newest block that is as deep as the chain's `confirmations`. A question that
   * one provider cannot answer is asked of the next from its beginning, so it must change nothing.
   */
  atFinal<Answer>(question: (view: FinalView) => Promise<Answer>): Promise<Answer>;
  snapshot(query: SnapshotQuery): Promise<ChainSnapshot>;
  feeData(signerAddress: Address): Promise<SignerFeeData>;
  /**
   * Simulates a transaction of the signer at the newest block. One that goes through a forwarder tells the failure of each
   * call inside; any other is one call.
   *
   * @throws CallRevertedError when a forwarder reverts as a whole: it does not know the signer, say.
   */
  simulate(transaction: Call, route: Route): Promise<Simulation>;
  /**
   * The hash of the transaction that used the signer's nonce, as one provider shows it up to the final block;
   * `undefined` when the nonce is unused there.
   */
  transactionByNonce(signerAddress: Address, nonce: number): Promise<Hash | undefined>;
  /** Whether the forwarder takes calls from the signer, at the newest block. */
  isOperator(forwarderAddress: Address, signerAddress: Address): Promise<boolean>;
  /** Gives it to every provider; resolves when one has it. Any rejection means "may have been sent". */
  send(raw: Hex): Promise<void>;
}

/** The unsigned fields of a transaction of the lane. */
export interface Unsigned extends Fees {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gasLimit: bigint;
}

/** How a transaction reaches the registry: one call by the key itself, or many through a `DelegateForwarder`. */
export type Route = 'key' | 'forwarder';

/** Fees in wei per gas. On a chain without EIP-1559 (`legacy`) both are the gas price. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly legacy?: true;
}

/** What a block says of a transaction in it. */
export interface Receipt {
  readonly hash: Hex;
  readonly succeeded: boolean;
  readonly blockHash: Hex;
  readonly blockNumber: number;
  /** Seconds since 1970. */
  readonly blockTimestamp: number;
  /** Paid in all, in wei. */
  readonly fee: bigint;
  /** Calls that a forwarder reports failed, by position; the transaction itself succeeded. */
  readonly failedPositions: readonly number[];
}
