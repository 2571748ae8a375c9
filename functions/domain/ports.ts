import type { Address, Hash, Hex } from 'viem';
import type { Fees } from './lane.ts';
import type { ChainSettings } from './settings.ts';

/** What the registry shows of one content under one authority, all at one block. */
export interface Standing {
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

/** Views of a registry at a named block, or at the newest when none is named. */
export interface Registry {
  standing(query: ContentUnderAuthority, blockNumber?: number): Promise<Standing>;
  entry(registryAddress: Address, attestationIndex: number, blockNumber?: number): Promise<RegistryEntry>;
}

export interface Block {
  readonly number: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

export interface Receipt {
  readonly hash: Hash;
  readonly succeeded: boolean;
  readonly blockHash: Hash;
  readonly blockNumber: number;
  /** Seconds since 1970. */
  readonly blockTimestamp: number;
}

/** What one look at the chain shows, for one signer and the hashes asked of. */
export interface Sighting {
  readonly head: Block;
  /** Transactions of the signer mined up to the head. */
  readonly minedCount: number;
  readonly receipts: ReadonlyMap<Hash, Receipt>;
}

/** Fees as the market has them: the head's base fee and a tip that recent blocks took, in wei. */
export interface FeeMarket {
  /** The newest block when the market was asked. */
  readonly blockNumber: number;
  readonly baseFee: bigint;
  readonly tip: bigint;
}

export interface Call {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
}

/** @throws ChainUnreachableError from every function. */
export interface Chain {
  readonly registry: Registry;
  readonly settings: ChainSettings;
  head(): Promise<Block>;
  /** The newest block that is as deep as the chain's `confirmations`. */
  finalBlock(): Promise<Block>;
  sight(signerAddress: Address, hashes: readonly Hash[]): Promise<Sighting>;
  feeMarket(): Promise<FeeMarket>;
  /** @throws CallRevertedError when the call reverts at the newest block. */
  estimateGas(call: Call): Promise<bigint>;
  /** Why the call reverts at the end of that block, in words; `undefined` when it does not. */
  revertReason(call: Call, blockNumber: number): Promise<string | undefined>;
  /** Resolves when the node has the transaction; any rejection means "may have been sent". */
  send(raw: Hex): Promise<void>;
}

/** The unsigned fields of a transaction of the lane, EIP-1559. */
export interface Unsigned extends Fees {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: Address;
  readonly data: Hex;
  readonly gasLimit: bigint;
}

export interface Signer {
  readonly address: Address;
  /** @throws SignerMismatchError when the signature does not recover to the address. */
  sign(transaction: Unsigned): Promise<{ signature: Hex; hash: Hash }>;
}

/** Starts executions and answers the ones that wait. */
export interface Executions {
  /** Starts the attestation's execution; `closed` when its name is burnt. */
  startAttest(input: { organizationId: string; id: string; run: number }): Promise<'running' | 'closed'>;
  startLane(input: { lane: string; run: number }): Promise<'running' | 'closed'>;
  /** A stale token is no error: whoever waits now has a newer one. */
  succeed(taskToken: string, output: { revealAt?: string }): Promise<void>;
  /** The error's name alone: it routes the execution, and is all that its history shows. */
  fail(taskToken: string, errorName: string): Promise<void>;
}

/** Structured, and never given content, salts, keys or RPC URLs. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, error: unknown, fields?: Readonly<Record<string, unknown>>): void;
}

export type Clock = () => Date;
