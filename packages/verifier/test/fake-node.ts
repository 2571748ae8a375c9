import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { registryDeployment } from 'imprimatur-contracts/deploy/registry-deployment';
import {
  type Address,
  decodeFunctionData,
  encodeErrorResult,
  encodeFunctionResult,
  type Hex,
  keccak256,
  stringToHex,
  zeroHash,
} from 'viem';

export interface FakeEntry {
  readonly digest: Hex;
  readonly authority: Address;
  readonly quoteRoot?: Hex;
  readonly timestamp?: number;
  readonly revokedAt?: number;
  readonly child?: Hex;
}

interface FakeBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly timestamp: number;
  readonly entries: readonly FakeEntry[];
}

export const genesisTime = 1_800_000_000;
const secondsPerBlock = 12;
const registryCode = registryDeployment(60).runtimeCode;

export class FakeRpcError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** A chain in memory with one registry. */
export class FakeChain {
  readonly chainId: number;
  readonly registryAddress: Address;
  blocks: FakeBlock[] = [];
  #fork = 0;

  constructor(chainId = 8453, registryAddress: Address = '0xd70AD8a3cc1CB3Ec160949589673c9A99e46C708') {
    this.chainId = chainId;
    this.registryAddress = registryAddress;
    this.mine(3);
  }

  get entries(): readonly FakeEntry[] {
    return this.blocks.at(-1)?.entries ?? [];
  }

  mine(count = 1, entries = this.entries): void {
    for (let added = 0; added < count; added++) {
      const number = this.blocks.length;
      const hash = keccak256(stringToHex(`block ${number} of fork ${this.#fork}`));
      this.blocks.push({ number, hash, timestamp: genesisTime + number * secondsPerBlock, entries });
    }
  }

  /** Attests in a new block. @returns the index */
  attest(entry: FakeEntry): number {
    const timestamp = genesisTime + this.blocks.length * secondsPerBlock;
    this.mine(1, [...this.entries, { timestamp, ...entry }]);
    return this.entries.length;
  }

  change(index: number, changes: Partial<FakeEntry>): void {
    const changed = this.entries.map((entry, position) =>
      position + 1 === index ? { ...entry, ...changes } : entry,
    );
    this.mine(1, changed);
  }

  /** Replaces the last blocks with new ones, which have the entries of the block before them. */
  reorganize(depth: number): void {
    this.blocks = this.blocks.slice(0, -depth);
    this.#fork++;
    this.mine(depth);
  }
}

export interface FakeTraits {
  readonly chainId?: number;
  /** Number of blocks that the node is behind. */
  readonly lag?: number;
  /** Whether the node accepts a block by its hash. */
  readonly byHash?: boolean;
  /** Depth of the final block; `null` for a node that does not know the tag. */
  readonly finalDepth?: number | null;
  /** Whether the registry returns zeros above the last index instead of a revert. */
  readonly zerosAbove?: boolean;
  readonly code?: Hex;
}

const quantity = (number: number): Hex => `0x${number.toString(16)}`;
const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

export class FakeNode {
  readonly name: string;
  readonly #chain: FakeChain;
  readonly #traits: FakeTraits;

  constructor(chain: FakeChain, traits: FakeTraits = {}, name = 'a node') {
    this.#chain = chain;
    this.#traits = traits;
    this.name = name;
  }

  async request({ method, params }: { method: string; params: readonly unknown[] }): Promise<unknown> {
    const [first, second] = params;
    if (method === 'eth_chainId') return quantity(this.#traits.chainId ?? this.#chain.chainId);
    if (method === 'eth_getBlockByNumber') return this.#header(String(first));
    const { entries } = this.#blockOf(second);
    if (method === 'eth_getCode') {
      const isRegistry = isSame(String(first), this.#chain.registryAddress);
      return isRegistry ? (this.#traits.code ?? registryCode) : '0x';
    }
    if (method === 'eth_call') return this.#call(first as { data: Hex }, entries);
    throw new FakeRpcError(-32_601, 'the method does not exist');
  }

  get #blocks(): readonly FakeBlock[] {
    return this.#chain.blocks.slice(0, this.#chain.blocks.length - (this.#traits.lag ?? 0));
  }

  #header(tag: string): unknown {
    const { finalDepth = 2 } = this.#traits;
    if (tag === 'finalized' && finalDepth === null) throw new FakeRpcError(-32_602, 'unknown tag');
    const position = tag === 'latest' ? -1 : tag === 'finalized' ? -1 - (finalDepth ?? 0) : Number(tag);
    const block = this.#blocks.at(position);
    if (!block) return null;
    return { number: quantity(block.number), hash: block.hash, timestamp: quantity(block.timestamp) };
  }

  #blockOf(param: unknown): FakeBlock {
    const isHash = typeof param === 'object' && param !== null && 'blockHash' in param;
    if (isHash && this.#traits.byHash === false) throw new FakeRpcError(-32_602, 'invalid argument 1');
    const found = isHash
      ? this.#blocks.find(({ hash }) => hash === param.blockHash)
      : this.#blocks[Number(param)];
    if (!found) throw new FakeRpcError(-32_000, 'header not found');
    return found;
  }

  #call({ data }: { data: Hex }, entries: readonly FakeEntry[]): Hex {
    const call = decodeFunctionData({ abi, data });
    const indexOf = (matches: (entry: FakeEntry) => boolean) => BigInt(entries.findIndex(matches) + 1);
    if (call.functionName === 'cidAndAddressToAttestationIndices') {
      const [digest, authority] = call.args;
      const result = indexOf((entry) => entry.digest === digest && isSame(entry.authority, authority));
      return encodeFunctionResult({ abi, functionName: call.functionName, result });
    }
    if (call.functionName === 'cidToAttestationIndices') {
      const result = indexOf(({ digest }) => digest === call.args[0]);
      if (result > 0n) return encodeFunctionResult({ abi, functionName: call.functionName, result });
      throw this.#revert('AttestationIndexMissing', [call.args[0], 0n]);
    }
    if (call.functionName !== 'attestations') throw new FakeRpcError(-32_000, 'unexpected call');
    return this.#entry(Number(call.args[0]), entries);
  }

  #entry(index: number, entries: readonly FakeEntry[]): Hex {
    const entry = entries[index - 1];
    if (!entry && !this.#traits.zerosAbove) throw this.#revert('AttestationUnknown', [BigInt(index)]);
    const { digest = zeroHash, quoteRoot = zeroHash, child = zeroHash } = entry ?? {};
    const authority = entry?.authority ?? '0x0000000000000000000000000000000000000000';
    const times = [BigInt(entry?.timestamp ?? 0), BigInt(entry?.revokedAt ?? 0)] as const;
    const result = [digest, quoteRoot, zeroHash, authority, ...times, child] as const;
    return encodeFunctionResult({ abi, functionName: 'attestations', result });
  }

  #revert(errorName: 'AttestationUnknown' | 'AttestationIndexMissing', args: readonly unknown[]) {
    return new FakeRpcError(3, 'execution reverted', encodeErrorResult({ abi, errorName, args } as never));
  }
}
