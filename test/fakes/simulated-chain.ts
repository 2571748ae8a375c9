import {
  type Address,
  concat,
  encodeFunctionData,
  type Hash,
  type Hex,
  keccak256,
  pad,
  toHex,
  zeroHash,
} from 'viem';
import { attestationRegistryAbi as abi } from '../../contracts/artifacts/attestation-registry-abi.ts';
import { CallRevertedError, ChainUnreachableError } from '../../functions/domain/errors.ts';
import type { Call, Chain, FeeMarket, Receipt, Registry, Sighting } from '../../functions/domain/ports.ts';
import type { ChainSettings } from '../../functions/domain/settings.ts';
import { decodeRaw, Mempool, type Pooled } from './mempool.ts';
import { RegistryModel } from './registry-model.ts';

interface Mined {
  readonly number: number;
  readonly timestamp: number;
  readonly hash: Hash;
  readonly registry: RegistryModel;
  readonly receipts: readonly (Receipt & Pooled)[];
}

const gasOfCall = 100_000n;
const gwei = 1_000_000_000n;

/** A chain with one node that really runs what is sent to it, against a model of the registry. */
export class SimulatedChain implements Chain {
  readonly settings: ChainSettings;
  readonly mempool = new Mempool();
  readonly registry: Registry;

  /** Every question fails, and so does every send. */
  unreachable = false;
  /** Takes what is sent and then does not answer. */
  losesSendAnswers = false;
  /** Answers as if it took what is sent, and forgets it. */
  forgetsSent = false;
  /** Knows the account's nonce, but finds no receipt. */
  hidesReceipts = false;
  /** Every transaction reverts, as if it ran out of gas. */
  revertsAll = false;
  baseFee = 10n * gwei;
  tip = gwei;
  /** What miners take at least. */
  minTip = 0n;

  /** Called with every transaction the node was sent, before anything else happens to it. */
  onSend: (hash: Hash, nonce: number) => void = () => {};

  #blocks: Mined[];
  #nonces = new Map<Address, number>();

  constructor(settings: ChainSettings, timestamp: number) {
    this.settings = settings;
    const registry = new RegistryModel(settings.revealDelaySeconds);
    this.#blocks = [{ number: 0, timestamp, hash: keccak256('0x00'), registry, receipts: [] }];
    this.registry = {
      standing: async ({ digest, authorityAddress, registryAddress }, blockNumber) => {
        this.#reach();
        if (registryAddress !== settings.registryAddress) throw new Error('no contract at this address');
        return this.#at(blockNumber).registry.standing(digest, authorityAddress);
      },
      entry: async (_, attestationIndex, blockNumber) => {
        this.#reach();
        const { timestamp: at, revokedAt } = this.#at(blockNumber).registry.entry(attestationIndex);
        return { timestamp: at, revokedAt };
      },
    };
  }

  async head() {
    this.#reach();
    const { number, timestamp } = this.newest;
    return { number, timestamp };
  }

  async finalBlock() {
    this.#reach();
    const depth = this.settings.confirmations - 1;
    const { number, timestamp } = this.#at(Math.max(0, this.newest.number - depth));
    return { number, timestamp };
  }

  async sight(signerAddress: Address, hashes: readonly Hash[]): Promise<Sighting> {
    this.#reach();
    const wanted = new Set(this.hidesReceipts ? [] : hashes);
    const receipts = this.receipts().filter(({ hash }) => wanted.has(hash));
    return {
      head: { number: this.newest.number, timestamp: this.newest.timestamp },
      minedCount: this.#nonces.get(signerAddress) ?? 0,
      receipts: new Map(receipts.map((receipt) => [receipt.hash, receipt])),
    };
  }

  async feeMarket(): Promise<FeeMarket> {
    this.#reach();
    return { blockNumber: this.newest.number, baseFee: this.baseFee, tip: this.tip };
  }

  async estimateGas(call: Call): Promise<bigint> {
    this.#reach();
    this.#run(call, this.newest);
    return gasOfCall;
  }

  async revertReason(call: Call, blockNumber: number): Promise<string | undefined> {
    this.#reach();
    try {
      this.#run(call, this.#at(blockNumber));
      return undefined;
    } catch (error) {
      if (error instanceof CallRevertedError) return error.reason;
      throw error;
    }
  }

  async send(raw: Hex): Promise<void> {
    const transaction = await decodeRaw(raw);
    this.onSend(transaction.hash, transaction.nonce);
    this.#reach();
    if (transaction.chainId !== this.settings.chainId) throw new Error('invalid chain id');
    if (this.forgetsSent) return;
    if (transaction.nonce < (this.#nonces.get(transaction.sender) ?? 0)) throw new Error('nonce too low');
    this.mempool.add(transaction);
    if (this.losesSendAnswers) throw new ChainUnreachableError(this.settings.chainId);
  }

  get newest(): Mined {
    return this.#blocks.at(-1) as Mined;
  }

  receipts(): (Receipt & Pooled)[] {
    return this.#blocks.flatMap(({ receipts }) => receipts);
  }

  /** A block with all that pays for it, so many seconds after the last. `first` comes before all of that. */
  mine(
    seconds = this.settings.blockTimeSeconds,
    first?: (registry: RegistryModel, at: number) => void,
  ): void {
    const { number, timestamp, registry } = this.newest;
    const next = { number: number + 1, timestamp: timestamp + seconds, registry: registry.clone() };
    const hash = keccak256(toHex(`${next.number} ${next.timestamp}`));
    first?.(next.registry, next.timestamp);
    const receipts = this.#takePayers().map((transaction) => ({
      ...transaction,
      succeeded: !this.revertsAll && succeeds(next.registry, transaction, next.timestamp),
      blockHash: hash,
      blockNumber: next.number,
      blockTimestamp: next.timestamp,
    }));
    this.#blocks.push({ ...next, hash, receipts });
  }

  /** A registry call that somebody makes for himself; it comes first in a block. */
  act(sender: Address, data: Hex): void {
    this.mine(this.settings.blockTimeSeconds, (registry, at) => registry.execute(sender, data, at));
  }

  delegate(authorityAddress: Address, delegateAddress: Address): void {
    const args = [delegateAddress] as const;
    this.act(authorityAddress, encodeFunctionData({ abi, functionName: 'delegate', args }));
  }

  revokeDelegation(authorityAddress: Address): void {
    this.act(authorityAddress, encodeFunctionData({ abi, functionName: 'revokeDelegation' }));
  }

  /** The authority attests a content itself, without the service. */
  attest(authorityAddress: Address, digest: Hex): void {
    const padded = pad(authorityAddress, { size: 32, dir: 'right' });
    const salt = keccak256(digest);
    const saltedHash = keccak256(concat([digest, padded, salt]));
    this.act(authorityAddress, encodeFunctionData({ abi, functionName: 'commit', args: [saltedHash] }));
    this.mine(this.settings.revealDelaySeconds);
    const args = [saltedHash, salt, digest, zeroHash, zeroHash, authorityAddress] as const;
    this.act(authorityAddress, encodeFunctionData({ abi, functionName: 'reveal', args }));
  }

  revokeAttestation(authorityAddress: Address, attestationIndex: number): void {
    const args = [BigInt(attestationIndex)] as const;
    this.act(authorityAddress, encodeFunctionData({ abi, functionName: 'revokeAttestation', args }));
  }

  /** Somebody else with the same key uses its nonce. */
  spendNonce(sender: Address): void {
    this.#nonces.set(sender, (this.#nonces.get(sender) ?? 0) + 1);
  }

  #takePayers(): Pooled[] {
    const taken: Pooled[] = [];
    for (const sender of this.mempool.senders()) {
      for (;;) {
        const nonce = this.#nonces.get(sender) ?? 0;
        const next = this.mempool.take(sender, nonce, this);
        if (!next) break;
        taken.push(next);
        this.#nonces.set(sender, nonce + 1);
      }
    }
    return taken;
  }

  #run({ from, to, data }: Call, { registry, timestamp }: Mined): void {
    if (to !== this.settings.registryAddress) throw new Error('no contract at this address');
    registry.clone().execute(from, data, timestamp);
  }

  #at(blockNumber: number | undefined): Mined {
    const block = blockNumber === undefined ? this.newest : this.#blocks[blockNumber];
    if (!block) throw new ChainUnreachableError(this.settings.chainId);
    return block;
  }

  #reach(): void {
    if (this.unreachable) throw new ChainUnreachableError(this.settings.chainId);
  }
}

function succeeds(registry: RegistryModel, { sender, data, gas }: Pooled, timestamp: number): boolean {
  try {
    if (gas < gasOfCall) return false;
    registry.execute(sender, data, timestamp);
    return true;
  } catch (error) {
    if (error instanceof CallRevertedError) return false;
    throw error;
  }
}
