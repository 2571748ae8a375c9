import type { Address, Hash, Hex } from 'viem';
import type { ChainSettings } from './settings.ts';

export interface RegistryState {
  /** Index of the attestation; 0 when the authority has not attested the content. */
  readonly attestationIndex: number;
  /** Delegate of the authority; the zero address when it has none. */
  readonly delegateAddress: Address;
}

export interface RegistryEntry {
  /** The registry's `qvHash`. */
  readonly quoteRoot: Hex;
  /** Block time of the reveal, in seconds since 1970. */
  readonly timestamp: number;
  /** Time of the revocation, in seconds since 1970; 0 while the attestation stands. */
  readonly revokedAt: number;
}

export interface ContentUnderAuthority {
  readonly registryAddress: Address;
  readonly digest: Hex;
  readonly authorityAddress: Address;
}

export interface Registry {
  registryState(query: ContentUnderAuthority): Promise<RegistryState>;
}

export interface Block {
  readonly number: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

export interface Head extends Block {
  /** Base fee in wei per gas; absent on a chain without EIP-1559. */
  readonly baseFee?: bigint;
}

export interface SnapshotQuery {
  readonly signerAddress: Address;
  readonly hashes: readonly Hash[];
  /** Blocks whose hashes show whether a mined transaction's block is still the chain's. */
  readonly blockNumbers: readonly number[];
}

export interface ChainSnapshot {
  readonly head: Head;
  /** Number of the newest final block, not above the head. */
  readonly finalNumber: number;
  /** Transactions of the signer mined up to the head. */
  readonly minedCount: number;
  /** Receipts in blocks that the provider has at their numbers. One that is absent may exist all the same. */
  readonly receipts: ReadonlyMap<Hash, Receipt>;
  readonly blockHashes: ReadonlyMap<number, Hash>;
}

/** Fee data of the chain: the next block's base fee and a tip that recent blocks took, in wei per gas (EIP-1559). */
export interface FeeData {
  readonly blockNumber: number;
  readonly baseFee: bigint;
  readonly tip: bigint;
  /** Set on a chain without EIP-1559: the base fee is 0 and the tip is the gas price. */
  readonly legacy?: true;
}

/** Fees that an OP-stack chain takes for a transaction beside its gas, at the newest block, in wei. */
export interface RollupFees {
  /** Upper bound of the L1 data fee. */
  readonly dataFee: bigint;
  /** The operator fee is a constant and an amount per gas. */
  readonly operatorFeeConstant: bigint;
  readonly operatorFeePerMillionGas: bigint;
}

export interface SignerFeeData extends FeeData {
  readonly balance: bigint;
  /** Set on an OP-stack chain: fees of the transaction simulated, or of one without calldata. */
  readonly rollupFees?: RollupFees;
}

export interface Call {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
}

export interface Simulation {
  readonly feeData: SignerFeeData;
  /** Gas that the node estimates; absent when a call that is the whole transaction would revert. */
  readonly gas?: bigint;
  /** Reasons, in words, for which calls in it would revert, by the calls' positions. */
  readonly failures: ReadonlyMap<number, string>;
  readonly states: readonly RegistryState[];
}

/** View of the chain at the end of its final block, as one provider shows it. All of it is of that block, by its hash. */
export interface FinalView extends Registry {
  readonly block: Block;
  registryStates(queries: readonly ContentUnderAuthority[]): Promise<readonly RegistryState[]>;
  /** Entry of an attestation whose index the view shows. */
  entry(registryAddress: Address, attestationIndex: number): Promise<RegistryEntry>;
  /** keccak256 of the code at an address; `undefined` where there is none, or where the provider does not show it. */
  codeHash(address: Address): Promise<Hex | undefined>;
  /** Number of the account's transactions mined up to that block. */
  minedCount(signerAddress: Address): Promise<number>;
  isOperator(forwarderAddress: Address, signerAddress: Address): Promise<boolean>;
  /** Reasons for which calls of one delegate revert, sent by its key or by itself; `undefined` for one that does not. */
  revertReasons(calls: readonly Call[], signerAddress: Address): Promise<readonly (string | undefined)[]>;
}

/** Chain as the service reads it and sends to it. Every function throws ChainUnreachableError. */
export interface Chain {
  readonly registry: Registry;
  readonly settings: ChainSettings;
  /** While the changed settings are unread, nothing is bound or signed: the deployed ones may allow higher fees. */
  readonly settingsUnread?: boolean;
  head(): Promise<Block>;
  /** Asks at the final block. The question may be asked again of another provider, so it must change nothing. */
  atFinal<Answer>(question: (view: FinalView) => Promise<Answer>): Promise<Answer>;
  snapshot(query: SnapshotQuery): Promise<ChainSnapshot>;
  feeData(signerAddress: Address): Promise<SignerFeeData>;
  balance(address: Address): Promise<bigint>;
  emptyTransferGas(signerAddress: Address): Promise<bigint>;
  /** Estimates the gas of a new word of storage, by a commit of the signer's to the chain's registry. */
  wordGas(signerAddress: Address): Promise<bigint>;
  /**
   * Simulates a transaction at the newest block. Through a forwarder, each call inside has its own result. A registry
   * skips members of a batch without failing: the states of their contents say which.
   */
  simulate(transaction: Call, route: Route, contents?: readonly ContentUnderAuthority[]): Promise<Simulation>;
  /** Whether the registry takes batches: one commit for many attestations, and one call that reveals them. */
  takesBatches(registryAddress: Address): Promise<boolean>;
  /** Transaction that used the nonce, up to the final block; `undefined` when the nonce is unused there. */
  transactionByNonce(signerAddress: Address, nonce: number): Promise<Hash | undefined>;
  isOperator(forwarderAddress: Address, signerAddress: Address): Promise<boolean>;
  /** Resolves when one provider has it. After an error other than `TransactionRefusedError` one may have it too. */
  send(raw: Hex): Promise<void>;
}

export interface Unsigned extends Fees {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gasLimit: bigint;
}

/** Route of a transaction to the registry: one call by the key itself, or many through a `DelegateForwarder`. */
export type Route = 'key' | 'forwarder';

/** Fees of a transaction, in wei per gas (EIP-1559). On a chain without EIP-1559 (`legacy`) both are the gas price. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly legacy?: true;
}

export interface Receipt {
  readonly hash: Hex;
  /** Whether it did anything: also false when the only call that a forwarder was to make failed. */
  readonly succeeded: boolean;
  readonly blockHash: Hex;
  readonly blockNumber: number;
  /** Seconds since 1970. */
  readonly blockTimestamp: number;
  /** Fee paid in total, in wei, with what a roll-up takes beside gas. */
  readonly fee: bigint;
  /** Positions of the calls that a forwarder reports as failed, or of the members of a batch that the registry skipped. */
  readonly failedPositions: readonly number[];
}
