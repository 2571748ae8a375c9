import type { Address, Hash, Hex } from 'viem';
import type {
  Block,
  Call,
  Chain,
  ChainSnapshot,
  FinalView,
  Receipt,
  Registry,
  Route,
  SignerFeeData,
  Simulation,
  SnapshotQuery,
} from '../../../functions/domain/chain.ts';
import { CallRevertedError, ChainUnreachableError } from '../../../functions/domain/errors.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { balanceOf } from './block-maker.ts';
import { Draft } from './chain-state.ts';
import { decodeRaw, type Pooled } from './mempool.ts';
import { type PoolAccount, PoolRules } from './pool-rules.ts';
import { SimulatedActs } from './simulated-acts.ts';
import type { SimulatedBlock } from './simulated-blocks.ts';
import { gasOf } from './transaction-model.ts';

const gwei = 1_000_000_000n;

/** EIP-7825. */
const maxGas = 16_777_216n;
const maxRawBytes = 131_072;

/** A chain with one node that really runs the transactions it is sent, on models of the contracts. */
export class SimulatedChain extends SimulatedActs implements Chain {
  readonly registry: Registry;
  readonly poolRules = new PoolRules();

  /** Every read fails, and so does every send. */
  unreachable = false;
  /** The node takes what it is sent and then does not answer. */
  losesSendAnswers = false;
  /** The node answers as if it took what it is sent, and drops it. */
  forgetsSent = false;
  /** The node knows the account's nonce, but finds no receipt. */
  hidesReceipts = false;
  /**
   * The node answers as if the newest `lagBlocks` blocks did not exist yet. Transactions sent to it still
   * reach the miners.
   */
  lagBlocks = 0;
  /** The node refuses what pays less than the base fee, and keeps nothing of it, as Arbitrum's sequencer does. */
  refusesBelowBaseFee = false;
  /** Tip that recent blocks took, in wei per gas. */
  tip = gwei;

  /** Called with every transaction that the node is sent, before anything else happens to it. */
  onSend: (hash: Hash, nonce: number, sender: Address) => unknown = () => {};

  constructor(settings: ChainSettings, timestamp: number) {
    super(settings, timestamp);
    this.registry = this.#registryAt(() => this.#seen());
  }

  async head(): Promise<Block> {
    return plain(this.#seen());
  }

  async atFinal<Answer>(question: (view: FinalView) => Promise<Answer>): Promise<Answer> {
    const final = this.#final();
    const { number } = final;
    const state = () => {
      this.#reach();
      return this.stateAt(number);
    };
    const registry = this.#registryAt(() => final);
    return question({
      ...registry,
      block: plain(final),
      minedCount: async (account) => state().get('nonce', account) ?? 0,
      isOperator: async (forwarder, account) => state().get('operator', `${forwarder} ${account}`) ?? false,
      registryStates: (queries) => Promise.all(queries.map((query) => registry.registryState(query))),
      revertReasons: (calls) => Promise.all(calls.map((call) => this.#revertReason(call, final))),
    });
  }

  async snapshot({ signerAddress, hashes, blockNumbers }: SnapshotQuery): Promise<ChainSnapshot> {
    const head = this.#seen();
    const receipts = hashes.flatMap((hash) => this.#receiptOf(hash, head));
    const known = blockNumbers.filter((number) => number <= head.number);
    const blocks = known.flatMap((number) => this.blockAt(number) ?? []);
    return {
      head: this.legacy ? plain(head) : { ...plain(head), baseFee: this.baseFee },
      finalNumber: this.#finalNumber(),
      minedCount: this.stateAt(head.number).get('nonce', signerAddress) ?? 0,
      receipts: new Map(receipts.map((receipt) => [receipt.hash, receipt])),
      blockHashes: new Map(blocks.map(({ number, hash }) => [number, hash])),
    };
  }

  async feeData(signerAddress: Address): Promise<SignerFeeData> {
    const { number: blockNumber } = this.#seen();
    const { baseFee, tip } = this;
    const fees = this.legacy
      ? ({ baseFee: 0n, tip: baseFee + tip, legacy: true } as const)
      : { baseFee, tip };
    const balance = balanceOf(this.stateAt(blockNumber), signerAddress);
    return { blockNumber, ...fees, balance, ...(this.rollupFees ? { rollupFees: this.rollupFees } : {}) };
  }

  async emptyTransferGas(): Promise<bigint> {
    this.#reach();
    return this.baseGas;
  }

  async simulate(transaction: Call, route: Route): Promise<Simulation> {
    const feeData = await this.feeData(transaction.from);
    const block = this.#seen();
    const gas = gasOf(this.stateAt(block.number), transaction.to, transaction.data, this);
    try {
      return { feeData, gas, failures: this.#run(transaction, block) };
    } catch (error) {
      if (route === 'forwarder' || !(error instanceof CallRevertedError)) throw error;
      return { feeData, failures: new Map([[0, error.reason]]) };
    }
  }

  async transactionByNonce(signerAddress: Address, nonce: number): Promise<Hash | undefined> {
    const { number } = this.#final();
    const mined = this.minedAt(signerAddress, nonce);
    return mined && mined.blockNumber <= number ? mined.hash : undefined;
  }

  async isOperator(forwarderAddress: Address, signerAddress: Address): Promise<boolean> {
    const { number } = this.#seen();
    return this.stateAt(number).get('operator', `${forwarderAddress} ${signerAddress}`) ?? false;
  }

  async send(raw: Hex): Promise<void> {
    const transaction = await decodeRaw(raw);
    await this.onSend(transaction.hash, transaction.nonce, transaction.sender);
    this.#reach();
    this.#requireTakeable(transaction);
    if (this.forgetsSent) return;
    this.poolRules.check(transaction, this.mempool, this.#accountOf(transaction), this.rollupFees);
    this.mempool.add(transaction);
    if (this.losesSendAnswers) throw new ChainUnreachableError(this.settings.chainId);
  }

  /** @throws Error in geth's words */
  #requireTakeable({ chainId, legacy, gas, raw, maxFeePerGas }: Pooled): void {
    if (chainId !== this.settings.chainId) throw new Error('invalid chain id');
    if (this.legacy && !legacy) throw new Error('transaction type not supported');
    if (this.refusesBelowBaseFee && maxFeePerGas < this.baseFee)
      throw new Error('max fee per gas less than block base fee');
    if (gas < this.baseGas) throw new Error('intrinsic gas too low');
    if (gas > maxGas) throw new Error('transaction gas limit too high');
    if (raw.length / 2 - 1 > maxRawBytes) throw new Error('oversized data');
  }

  #accountOf({ sender }: Pooled): PoolAccount {
    const state = this.stateAt(this.newest.number);
    return { nonce: state.get('nonce', sender) ?? 0, balance: balanceOf(state, sender) };
  }

  #receiptOf(hash: Hash, head: Block): Receipt[] {
    const receipt = this.hidesReceipts ? undefined : this.minedWith(hash)?.receipt;
    return receipt && receipt.blockNumber <= head.number ? [receipt] : [];
  }

  #run(call: Call, { number, timestamp }: Block) {
    return this.contracts.run(new Draft(this.stateAt(number)), call, timestamp);
  }

  async #revertReason(call: Call, block: Block): Promise<string | undefined> {
    this.#reach();
    try {
      this.#run(call, block);
      return undefined;
    } catch (error) {
      if (error instanceof CallRevertedError) return error.reason;
      throw error;
    }
  }

  #registryAt(block: () => SimulatedBlock): Registry {
    return {
      registryState: async ({ digest, authorityAddress, registryAddress }) => {
        this.#reach();
        if (registryAddress !== this.settings.registryAddress) throw new Error('no contract at this address');
        return block().registry.registryState(digest, authorityAddress);
      },
      entry: async (_, attestationIndex) => {
        this.#reach();
        const { timestamp, revokedAt } = block().registry.entry(attestationIndex);
        if (timestamp === 0) throw new ChainUnreachableError(this.settings.chainId);
        return { timestamp, revokedAt };
      },
    };
  }

  /** The newest block that the node shows. */
  #seen(): SimulatedBlock {
    this.#reach();
    return this.blockAt(Math.max(0, this.newest.number - this.lagBlocks)) ?? this.newest;
  }

  #final(): SimulatedBlock {
    return this.blockAt(this.#finalNumber()) ?? this.newest;
  }

  #finalNumber(): number {
    return Math.max(0, this.#seen().number - this.settings.confirmations + 1);
  }

  #reach(): void {
    if (this.unreachable) throw new ChainUnreachableError(this.settings.chainId);
  }
}

function plain({ number, timestamp }: Block): Block {
  return { number, timestamp };
}
