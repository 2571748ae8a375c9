import codeHashes from 'imprimatur-contracts/deploy/code-hashes.json' with { type: 'json' };
import type { Address, Hash, Hex } from 'viem';
import type {
  Block,
  Call,
  Chain,
  ChainSnapshot,
  ContentUnderAuthority,
  FinalView,
  Registry,
  Route,
  SignerFeeData,
  Simulation,
  SnapshotQuery,
} from '../../../functions/domain/chain.ts';
import { CallRevertedError, ChainUnreachableError } from '../../../functions/domain/errors.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { balanceOf, gasOf } from './block-maker.ts';
import { NodeView, SimulatedNode } from './branches.ts';
import { Draft, type ReadableState } from './chain-state.ts';
import { decodeRaw, type PoolAccount, type Pooled, PoolRules } from './mempool.ts';
import type { RegistryModel } from './registry-model.ts';
import { SimulatedActs } from './simulated-acts.ts';

const gwei = 1_000_000_000n;

/** Code hash of the registry that the models stand for. */
export const registryCodeHash = codeHashes.AttestationRegistry.runtimeCodeHash as Hex;

/** EIP-7825. */
const maxGas = 16_777_216n;
const maxRawBytes = 131_072;

/** A chain that runs the transactions sent to it, on models of the contracts. */
export class SimulatedChain extends SimulatedActs implements Chain {
  readonly registry: Registry & Pick<FinalView, 'entry'>;
  readonly poolRules = new PoolRules();
  /** Nodes of the chain. Transactions sent to any of them reach the miners. */
  readonly nodes: SimulatedNode[] = [new SimulatedNode()];
  /** Chooses the reachable node that answers all reads of one request: by default, the first. */
  chooseNode: (nodes: readonly SimulatedNode[]) => SimulatedNode | undefined = ([first]) => first;

  settingsUnread = false;
  unreachable = false;
  /** The node accepts transactions and then does not answer. */
  losesSendAnswers = false;
  /** The node reports success and drops the transaction. */
  forgetsSent = false;
  /** The node knows the account's nonce, but finds no receipt. */
  hidesReceipts = false;
  /** Every node answers as if the newest `lagBlocks` blocks did not exist yet. */
  lagBlocks = 0;
  /** The node rejects fees below the base fee, like Arbitrum's sequencer. */
  refusesBelowBaseFee = false;
  /** Tip that recent blocks required, in wei per gas. */
  tip = gwei;

  /** Called with every transaction that is sent to the node, before the node handles it. */
  onSend: (hash: Hash, nonce: number, sender: Address) => unknown = () => {};

  constructor(settings: ChainSettings, timestamp: number) {
    super(settings, timestamp);
    this.registry = this.#registryOf(() => {
      const { branch, head } = this.#view();
      return branch.registryAt(head.number);
    });
  }

  async head(): Promise<Block> {
    return toBlock(this.#view().head);
  }

  async atFinal<Answer>(query: (view: FinalView) => Promise<Answer>): Promise<Answer> {
    const { branch, final } = this.#view();
    const state = () => {
      this.#requireReachable();
      return branch.stateAt(final.number);
    };
    const registry = this.#registryOf(() => branch.registryAt(final.number));
    return query({
      ...registry,
      block: toBlock(final),
      codeHash: async (address) => {
        this.#requireReachable();
        return address === this.settings.registryAddress ? registryCodeHash : undefined;
      },
      minedCount: async (account) => state().get('nonce', account) ?? 0,
      isOperator: async (forwarder, account) => state().get('operator', `${forwarder} ${account}`) ?? false,
      registryStates: (queries) => Promise.all(queries.map((query) => registry.registryState(query))),
      revertReasons: async (calls) => calls.map((call) => this.#revertReason(call, state(), final)),
    });
  }

  async snapshot({ signerAddress, hashes, blockNumbers }: SnapshotQuery): Promise<ChainSnapshot> {
    const view = this.#view();
    const { branch, head, final } = view;
    const receipts = this.hidesReceipts ? [] : hashes.flatMap((hash) => view.receiptOf(hash) ?? []);
    const blocks = blockNumbers.flatMap((number) => view.blockAt(number) ?? []);
    return {
      head: this.legacy ? toBlock(head) : { ...toBlock(head), baseFee: this.baseFee },
      finalNumber: final.number,
      minedCount: branch.stateAt(head.number).get('nonce', signerAddress) ?? 0,
      receipts: new Map(receipts.map((receipt) => [receipt.hash, receipt])),
      blockHashes: new Map(blocks.map(({ number, hash }) => [number, hash])),
    };
  }

  async feeData(signerAddress: Address): Promise<SignerFeeData> {
    return this.#feeDataOf(signerAddress, this.#view());
  }

  async balance(address: Address): Promise<bigint> {
    const { branch, head } = this.#view();
    return balanceOf(branch.stateAt(head.number), address);
  }

  async emptyTransferGas(): Promise<bigint> {
    this.#view();
    return this.baseGas;
  }

  async wordGas(): Promise<bigint> {
    this.#view();
    return 24_200n;
  }

  async simulate(
    transaction: Call,
    route: Route,
    contents: readonly ContentUnderAuthority[] = [],
  ): Promise<Simulation> {
    const view = this.#view();
    const { branch, head } = view;
    const feeData = this.#feeDataOf(transaction.from, view);
    const state = branch.stateAt(head.number);
    const gas = gasOf(state, transaction.to, transaction.data, this);
    const registry = branch.registryAt(head.number);
    const states = contents.map(({ digest, authorityAddress }) =>
      registry.registryState(digest, authorityAddress),
    );
    try {
      return { feeData, states, gas, failures: this.#run(transaction, state, head).failures };
    } catch (error) {
      if (route === 'forwarder' || !(error instanceof CallRevertedError)) throw error;
      return { feeData, states, failures: new Map([[0, error.reason]]) };
    }
  }

  async canBatch(registryAddress: Address): Promise<boolean> {
    this.#view();
    return registryAddress === this.settings.registryAddress && this.contracts.hasBatches;
  }

  async transactionByNonce(signerAddress: Address, nonce: number): Promise<Hash | undefined> {
    const { branch, final } = this.#view();
    const mined = branch.minedByNonce(signerAddress, nonce);
    return mined && mined.blockNumber <= final.number ? mined.hash : undefined;
  }

  async isOperator(forwarderAddress: Address, signerAddress: Address): Promise<boolean> {
    const { branch, head } = this.#view();
    return branch.stateAt(head.number).get('operator', `${forwarderAddress} ${signerAddress}`) ?? false;
  }

  async send(raw: Hex): Promise<void> {
    const transaction = await decodeRaw(raw);
    await this.onSend(transaction.hash, transaction.nonce, transaction.sender);
    this.#requireReachable();
    this.#requireAcceptable(transaction);
    if (this.forgetsSent) return;
    this.poolRules.check(transaction, this.mempool, this.#accountOf(transaction), this.rollupFees);
    this.mempool.add(transaction);
    if (this.losesSendAnswers) throw new ChainUnreachableError(this.settings.chainId);
  }

  /** @throws Error with geth's message */
  #requireAcceptable({ chainId, legacy, gas, raw, maxFeePerGas }: Pooled): void {
    if (chainId !== this.settings.chainId) throw new Error('invalid sender');
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

  #feeDataOf(signerAddress: Address, { branch, head }: NodeView): SignerFeeData {
    const { baseFee, tip } = this;
    const fees = this.legacy
      ? ({ baseFee: 0n, tip: baseFee + tip, legacy: true } as const)
      : { baseFee, tip };
    const balance = balanceOf(branch.stateAt(head.number), signerAddress);
    return {
      ...{ blockNumber: head.number, ...fees, balance },
      ...(this.rollupFees ? { rollupFees: this.rollupFees } : {}),
    };
  }

  #run(call: Call, state: ReadableState, { timestamp }: Block) {
    return this.contracts.run(new Draft(state), call, timestamp);
  }

  #revertReason(call: Call, state: ReadableState, block: Block): string | undefined {
    try {
      this.#run(call, state, block);
      return undefined;
    } catch (error) {
      if (error instanceof CallRevertedError) return error.reason;
      throw error;
    }
  }

  #registryOf(read: () => RegistryModel): Registry & Pick<FinalView, 'entry'> {
    return {
      registryState: async ({ digest, authorityAddress, registryAddress }) => {
        this.#requireReachable();
        if (registryAddress !== this.settings.registryAddress) throw new Error('no contract at this address');
        return read().registryState(digest, authorityAddress);
      },
      entry: async (_, attestationIndex) => {
        this.#requireReachable();
        const { quoteRoot, timestamp, revokedAt } = read().entry(attestationIndex);
        if (timestamp === 0) throw new ChainUnreachableError(this.settings.chainId);
        return { quoteRoot, timestamp, revokedAt };
      },
    };
  }

  #view(): NodeView {
    this.#requireReachable();
    const node = this.chooseNode(this.nodes.filter(({ unreachable }) => !unreachable));
    if (!node) throw new ChainUnreachableError(this.settings.chainId);
    const { lagBlocks } = this;
    const seen = { ...node, lagBlocks: node.lagBlocks + lagBlocks };
    return new NodeView(node.isOnStaleFork ? this.staleFork : this, seen, this.settings.confirmations);
  }

  #requireReachable(): void {
    if (this.unreachable) throw new ChainUnreachableError(this.settings.chainId);
  }
}

function toBlock({ number, timestamp }: Block): Block {
  return { number, timestamp };
}
