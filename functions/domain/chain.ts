import type { Address, Hash, Hex } from 'viem';
import type { ChainSettings } from './settings.ts';

export interface RegistryState {
  /** Index of the attestation; 0 if the authority has not attested the content. */
  readonly attestationIndex: number;
  /** Delegate of the authority; the zero address if the authority has none. */
  readonly delegateAddress: Address;
}

export interface RegistryEntry {
  /** The registry's `qvHash`. */
  readonly quoteRoot: Hex;
  /** Block time of the reveal, in seconds since 1970. */
  readonly timestamp: number;
  /** Time of the revocation, in seconds since 1970; 0 if the attestation was not revoked. */
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
  /** Blocks whose hashes are read, to detect a reorg of mined transactions. */
  readonly blockNumbers: readonly number[];
}

export interface ChainSnapshot {
  readonly head: Head;
  /** Number of the newest final block, not above the head. */
  readonly finalNumber: number;
  /** Number of the signer's transactions that are mined up to the head. */
  readonly minedCount: number;
  /** Receipts in the provider's canonical blocks. A receipt that is missing here may exist. */
  readonly receipts: ReadonlyMap<Hash, Receipt>;
  readonly blockHashes: ReadonlyMap<number, Hash>;
}

/** Fee data of the chain: the next block's base fee and the tip of recent blocks, in wei per gas (EIP-1559). */
export interface FeeData {
  readonly blockNumber: number;
  readonly baseFee: bigint;
  readonly tip: bigint;
  /** Set on a chain without EIP-1559: the base fee is 0 and the tip is the gas price. */
  readonly legacy?: true;
}

/** Fees that an OP-stack chain charges for a transaction in addition to gas, at the newest block, in wei. */
export interface RollupFees {
  /** Upper bound of the L1 data fee. */
  readonly dataFee: bigint;
  /** The operator fee is a constant and an amount per gas. */
  readonly operatorFeeConstant: bigint;
  readonly operatorFeePerMillionGas: bigint;
}

export interface SignerFeeData extends FeeData {
  readonly balance: bigint;
  /** Set on an OP-stack chain: fees of the simulated transaction, or of one without calldata. */
  readonly rollupFees?: RollupFees;
}

export interface Call {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
}

export interface Simulation {
  readonly feeData: SignerFeeData;
  /** Gas that the node estimates; absent if the key calls the registry itself and that call would revert. */
  readonly gas?: bigint;
  /** Reasons why calls would revert, by the calls' positions. */
  readonly failures: ReadonlyMap<number, string>;
  readonly states: readonly RegistryState[];
}

/** View of the chain's state at its final block, from one provider. All reads are pinned to that block's hash. */
export interface FinalView extends Registry {
  readonly block: Block;
  registryStates(queries: readonly ContentUnderAuthority[]): Promise<readonly RegistryState[]>;
  /** Reads the entry of an attestation whose index comes from this view. */
  entry(registryAddress: Address, attestationIndex: number): Promise<RegistryEntry>;
  /** keccak256 of the code; `undefined` if there is no code, or the provider does not show it. */
  codeHash(address: Address): Promise<Hex | undefined>;
  /** Reads the number of the account's transactions that are mined up to that block. */
  minedCount(signerAddress: Address): Promise<number>;
  isOperator(forwarderAddress: Address, signerAddress: Address): Promise<boolean>;
  /** Returns for each call of one delegate the reason why it reverts; `undefined` if it succeeds. */
  revertReasons(calls: readonly Call[], signerAddress: Address): Promise<readonly (string | undefined)[]>;
}

/** A chain, as the service reads it and sends to it. Every function may throw ChainUnreachableError. */
export interface Chain {
  readonly registry: Registry;
  readonly settings: ChainSettings;
  /** True until the changed settings are read. Until then nothing is signed: deployed ones may allow higher fees. */
  readonly settingsUnread?: boolean;
  head(): Promise<Block>;
  /** Runs a query at the final block. If a provider fails, the query runs again on another, so it must be read-only. */
  atFinal<Result>(query: (view: FinalView) => Promise<Result>): Promise<Result>;
  snapshot(query: SnapshotQuery): Promise<ChainSnapshot>;
  feeData(signerAddress: Address): Promise<SignerFeeData>;
  balance(address: Address): Promise<bigint>;
  emptyTransferGas(signerAddress: Address): Promise<bigint>;
  /** Estimates the gas of writing a new storage word, with a commit by the signer. */
  wordGas(signerAddress: Address): Promise<bigint>;
  /** Simulates at the newest block. A registry may skip members of a batch: the states of `contents` show which. */
  simulate(transaction: Call, route: Route, contents?: readonly ContentUnderAuthority[]): Promise<Simulation>;
  /** Whether the registry supports batches: one commit for many attestations, and one call that reveals them. */
  canBatch(registryAddress: Address): Promise<boolean>;
  /** Finds the transaction that used the nonce, up to the final block; `undefined` if the nonce is unused there. */
  transactionByNonce(signerAddress: Address, nonce: number): Promise<Hash | undefined>;
  isOperator(forwarderAddress: Address, signerAddress: Address): Promise<boolean>;
  /**
   * Sends a signed transaction. Resolves when one provider accepts it. After any error except
   * `TransactionRefusedError`, a provider may have accepted it.
   */
  send(raw: Hex): Promise<void>;
}

export interface UnsignedTx extends Fees {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gasLimit: bigint;
}

/** Route of a transaction to the registry: one call by the key itself, or several through a `DelegateForwarder`. */
export type Route = 'key' | 'forwarder';

/** Fees of a transaction, in wei per gas (EIP-1559). On a chain without EIP-1559 (`legacy`), both are the gas price. */
export interface Fees {
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly legacy?: true;
}

export interface Receipt {
  readonly hash: Hex;
  /** Whether the transaction succeeded on the chain. False also if the forwarder's only call failed. */
  readonly succeeded: boolean;
  readonly blockHash: Hex;
  readonly blockNumber: number;
  /** Seconds since 1970. */
  readonly blockTimestamp: number;
  /** Total fee in wei, including the additional fees of a rollup. */
  readonly fee: bigint;
  /** Positions of the calls that a forwarder reports as failed, or of the batch members that the registry skipped. */
  readonly failedPositions: readonly number[];
}
