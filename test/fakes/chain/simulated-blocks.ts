import { type Address, type Hash, type Hex, keccak256, toHex } from 'viem';
import type { RollupFees } from '../../../functions/domain/chain.ts';
import { CallRevertedError } from '../../../functions/domain/errors.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import { type Act, BlockMaker, type MinedTransaction, type SimulatedBlock } from './block-maker.ts';
import { type Branch, type ReplacedBlock, StaleFork } from './branches.ts';
import {
  type DepthSettings,
  Draft,
  type ReadableState,
  requireDepthSettings,
  StateHistory,
} from './chain-state.ts';
import { ContractsModel } from './contracts-model.ts';
import { Mempool } from './mempool.ts';
import type { RegistryModel } from './registry-model.ts';

export interface Reorg {
  /** Drops the transactions of the replaced blocks, instead of returning them to the pool. */
  readonly drop?: boolean;
  /** Mines the transactions again at the same heights, where possible. */
  readonly remine?: boolean;
  /** Drops the acts of the replaced blocks, instead of repeating them at the same heights. */
  readonly dropActs?: boolean;
  /** Seconds by which each new block is later than the one that it replaces. */
  readonly delaySeconds?: number;
}

const gwei = 1_000_000_000n;

/** Blocks of transactions, each on the state of its parent. The newest can be replaced. */
export class SimulatedBlocks implements Branch {
  readonly settings: DepthSettings;
  readonly mempool = new Mempool();
  gasPerOperation = 100_000n;
  revertsAll = false;
  maxOperations = Number.POSITIVE_INFINITY;
  readonly revertCauses = new Set<Hex>();
  baseFee = 10n * gwei;
  minTip = 0n;
  /** Fee per transaction in addition to gas, as on an OP-stack chain. */
  rollupFees: RollupFees | undefined;
  baseGas = 21_000n;
  /** Whether a reorg ever replaced a final block. */
  undidFinal = false;
  /** The chain has no EIP-1559: a transaction pays its gas price. */
  legacy = false;

  readonly contracts: ContractsModel;
  readonly #maker: BlockMaker;
  readonly #history = new StateHistory();
  readonly #blocks: SimulatedBlock[] = [];
  readonly #mined: MinedTransaction[] = [];
  readonly #byHash = new Map<Hash, MinedTransaction>();
  readonly #byNonce = new Map<string, MinedTransaction>();
  #forks = 0;
  #staleFork: StaleFork | undefined;

  constructor(settings: ChainSettings, timestamp: number) {
    this.settings = requireDepthSettings(settings);
    this.contracts = new ContractsModel(settings);
    this.#maker = new BlockMaker(this.contracts, this.mempool, this);
    this.#append(timestamp, [], false);
  }

  get newest(): SimulatedBlock {
    return this.#blocks.at(-1) as SimulatedBlock;
  }

  get state(): RegistryModel {
    return this.newest.registry;
  }

  receipts(): readonly MinedTransaction[] {
    return this.#mined.slice();
  }

  /** Mines all transactions that pay enough, `seconds` after the last block. @throws CallRevertedError of an act */
  mine(seconds = this.settings.blockTimeSeconds, acts: readonly Act[] = []): void {
    this.#append(this.newest.timestamp + seconds, acts, true);
  }

  reorganize(depth: number, options: Reorg = {}): void {
    if (depth >= this.#blocks.length) throw new Error(`there are no ${depth} blocks to replace`);
    this.undidFinal ||= depth >= this.settings.confirmations;
    const replaced = this.#undo(depth);
    const { drop = false, remine = false, dropActs = false, delaySeconds = 0 } = options;
    this.#forks++;
    if (!drop && !remine) this.#returnToPool(...replaced);
    for (const block of replaced) {
      // Returns the transactions of one block at a time, so that none is mined at a lower height than before.
      if (!drop && remine) this.#returnToPool(block);
      const acts = dropActs ? [] : block.acts.map(ignoringRevert);
      this.#append(block.timestamp + delaySeconds, acts, remine);
    }
  }

  /** The branch that the last reorg replaced; before the first reorg, this branch. */
  protected get staleFork(): Branch {
    return this.#staleFork ?? this;
  }

  protected amend(act: Act): void {
    const block = this.newest;
    const draft = new Draft(this.#history.stateAt(block.number));
    act(draft, block.timestamp);
    this.#history.write(block.number, draft.writes);
    this.#blocks[block.number] = { ...block, acts: [...block.acts, act] };
  }

  blockAt(number: number): SimulatedBlock | undefined {
    return this.#blocks[number];
  }

  stateAt(number: number): ReadableState {
    return this.#history.stateAt(number);
  }

  registryAt(number: number): RegistryModel {
    return this.contracts.registry(new Draft(this.#history.stateAt(number)));
  }

  minedByHash(hash: Hash): MinedTransaction | undefined {
    return this.#byHash.get(hash);
  }

  minedByNonce(sender: Address, nonce: number): MinedTransaction | undefined {
    return this.#byNonce.get(`${sender} ${nonce}`);
  }

  #append(timestamp: number, acts: readonly Act[], takesPool: boolean): void {
    const number = this.#blocks.length;
    const parentHash = this.#blocks.at(-1)?.hash ?? '0x';
    const hash = keccak256(toHex(`${parentHash} ${timestamp} ${this.#forks}`));
    const draft = new Draft(this.#history.stateAt(number - 1));
    for (const act of acts) act(draft, timestamp);
    const transactions = takesPool ? this.#maker.fill(draft, { number, timestamp, hash }) : [];
    this.#history.write(number, draft.writes);
    const registry = this.registryAt(number);
    this.#blocks.push({ number, timestamp, hash, registry, acts, transactions });
    for (const mined of transactions) this.#index(mined);
  }

  #index(mined: MinedTransaction): void {
    this.#mined.push(mined);
    this.#byHash.set(mined.hash, mined);
    this.#byNonce.set(`${mined.sender} ${mined.nonce}`, mined);
  }

  #undo(depth: number): SimulatedBlock[] {
    const replaced = this.#blocks.splice(this.#blocks.length - depth);
    const forgotten: ReplacedBlock[] = [];
    for (const block of replaced.toReversed()) {
      const { number, transactions } = block;
      forgotten.unshift({ block, changes: this.#history.forget(number) });
      this.#mined.length -= transactions.length;
      for (const { hash, sender, nonce } of transactions) {
        this.#byHash.delete(hash);
        this.#byNonce.delete(`${sender} ${nonce}`);
      }
    }
    this.#staleFork = new StaleFork(this, this.contracts, forgotten);
    return replaced;
  }

  #returnToPool(...blocks: readonly SimulatedBlock[]): void {
    for (const { transactions } of blocks) for (const { pooled } of transactions) this.mempool.put(pooled);
  }
}

/** Wraps an act so that it has no effect if it reverts. In another block, its preconditions may not hold. */
function ignoringRevert(act: Act): Act {
  return (state, timestamp) => {
    const draft = new Draft(state);
    try {
      act(draft, timestamp);
      state.apply(draft);
    } catch (error) {
      if (!(error instanceof CallRevertedError)) throw error;
    }
  };
}
