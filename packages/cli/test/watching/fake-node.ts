import { registryDeployment } from 'imprimatur-contracts/deploy/registry-deployment';
import { encodeEventTopics, encodeFunctionResult, isAddressEqual, parseAbi } from 'viem';
import { hash } from '../../../../contracts/test/chain/attest.ts';
import type { Address, Hex } from '../../../verifier/src/hex.ts';

const abi = parseAbi([
  'event ChildSet(uint256 indexed attestationId, bytes32 indexed childIpfsHash)',
  'event DelegateSet(address indexed authority, address indexed delegateAddress)',
  'function attestations(uint256 attestationId) view returns (bytes32 ipfsHash, bytes32 qvHash, bytes32 parentIpfsHash, address authority, uint256 timestamp, uint256 revokedAt, bytes32 childIpfsHash)',
]);

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
export const [author, stranger] = [address('a'), address('b')];
const { address: registry, runtimeCode } = registryDeployment(60);
export const chainId = 31_337;
const hex = (number: number): Hex => `0x${number.toString(16)}`;

interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A node of a chain with delegations by the author, or links by a stranger. */
export class FakeNode {
  head = 1000;
  final = 0;
  refusesLogs = false;
  /** Duration of a contract call in milliseconds. */
  callMs = 0;
  /** Duration of a log request for more than ten blocks, in milliseconds. */
  logsMs = 0;
  maxBlocks = Number.POSITIVE_INFINITY;
  delegations: readonly number[] = [];
  /** Blocks and indices of links by a stranger. */
  links: readonly { readonly block: number; readonly index: number }[] = [];
  /** Contracts that emit an imitation of the author's delegation in block 900, with invalid topics. */
  imitators: readonly Address[] = [];
  imitatorCode: () => Hex = () => '0x00';
  /** Hashes of blocks that differ on this node. */
  readonly replacedHashes = new Map<number, Hex>();
  readonly methods: string[] = [];
  /** Number of further contract calls that succeed. */
  callsLeft = Number.POSITIVE_INFINITY;
  /** Maximum number of concurrent calls so far. */
  maxCallsSeen = 0;
  #calls = 0;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** Returns or throws another answer. `undefined` leads to the normal one. */
  override: (call: RpcCall) => unknown = () => undefined;

  readonly request = async (call: RpcCall) => {
    const { method, params } = call;
    const other = this.override(call);
    this.methods.push(method);
    if (other !== undefined) return other;
    if (method === 'eth_chainId') return hex(chainId);
    if (method === 'eth_getBlockByNumber') return this.#block(params[0]);
    if (method === 'eth_getLogs') return this.#logs(params);
    if (method === 'eth_getCode')
      return isAddressEqual(params[0] as Address, registry) ? runtimeCode : this.imitatorCode();
    return this.#call();
  };

  #block(tag: unknown) {
    const number = tag === 'latest' ? this.head : tag === 'finalized' ? this.final : Number(tag);
    return number > this.head ? null : { number: hex(number), hash: this.#hash(number), timestamp: '0x1' };
  }

  #hash(number: number): Hex {
    return this.replacedHashes.get(number) ?? hash(number);
  }

  async #logs([filter]: readonly unknown[]) {
    if (this.refusesLogs) throw { code: -32_601, message: 'no such method' };
    const { fromBlock, toBlock, topics } = filter as { fromBlock: Hex; toBlock: Hex; topics: unknown[] };
    const blocks = Number(toBlock) - Number(fromBlock) + 1;
    if (blocks > this.maxBlocks) throw { code: -32_005, message: 'query returned more than 10000 results' };
    if (blocks > 10 && this.logsMs > 0) await pause(this.logsMs);
    // Beyond its head, a node returns nothing instead of an error.
    const isInRange = (block: number) =>
      block >= Number(fromBlock) && block <= Math.min(Number(toBlock), this.head);
    if (topics.length === 2) {
      const args = { authority: author, delegateAddress: stranger };
      const eventTopics = encodeEventTopics({ abi, eventName: 'DelegateSet', args });
      const imitations = this.imitators.map((address, at) => ({
        ...this.#log(900, 100 + at, eventTopics.slice(0, 2)),
        address,
      }));
      return [
        ...this.delegations.filter(isInRange).map((block) => this.#log(block, 0, eventTopics)),
        ...(isInRange(900) ? imitations : []),
      ];
    }
    return this.links
      .filter(({ block }) => isInRange(block))
      .map(({ block, index }, at) => {
        const args = { attestationId: BigInt(index), childIpfsHash: hash(2) };
        return this.#log(block, at + 1, encodeEventTopics({ abi, eventName: 'ChildSet', args }));
      });
  }

  #log(block: number, logIndex: number, topics: unknown) {
    const position = { blockNumber: hex(block), blockHash: this.#hash(block), logIndex: hex(logIndex) };
    return { ...position, address: registry, transactionHash: hash(7), data: '0x', topics };
  }

  async #call() {
    if (this.callsLeft-- <= 0) throw { code: -32_005, message: 'too many requests' };
    this.#calls += 1;
    this.maxCallsSeen = Math.max(this.maxCallsSeen, this.#calls);
    await pause(this.callMs);
    this.#calls -= 1;
    const result = [hash(1), hash(3), hash(0), stranger, 1n, 0n, hash(2)] as const;
    return encodeFunctionResult({ abi, functionName: 'attestations', result });
  }
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
