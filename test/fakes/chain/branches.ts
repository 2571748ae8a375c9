import type { Address, Hash } from 'viem';
import type { Receipt } from '../../../functions/domain/chain.ts';
import type { MinedTransaction, SimulatedBlock } from './block-maker.ts';
import { Draft, type ReadableState } from './chain-state.ts';
import type { ContractsModel } from './contracts-model.ts';
import type { RegistryModel } from './registry-model.ts';

export interface Branch {
  readonly newest: SimulatedBlock;
  blockAt(number: number): SimulatedBlock | undefined;
  stateAt(number: number): ReadableState;
  registryAt(number: number): RegistryModel;
  minedByHash(hash: Hash): MinedTransaction | undefined;
  minedByNonce(sender: Address, nonce: number): MinedTransaction | undefined;
}

export interface ReplacedBlock {
  readonly block: SimulatedBlock;
  readonly changes: Pick<Draft, 'writes'>;
}

/** The branch replaced by a reorg, as seen by a node that does not know the new one. */
export class StaleFork implements Branch {
  readonly #below: Branch;
  readonly #contracts: ContractsModel;
  readonly #replaced: readonly ReplacedBlock[];

  constructor(below: Branch, contracts: ContractsModel, replaced: readonly ReplacedBlock[]) {
    this.#below = below;
    this.#contracts = contracts;
    this.#replaced = replaced;
  }

  get newest(): SimulatedBlock {
    return this.#replaced.at(-1)?.block ?? this.#below.newest;
  }

  blockAt(number: number): SimulatedBlock | undefined {
    if (number <= this.#base) return this.#below.blockAt(number);
    return this.#replaced[number - this.#base - 1]?.block;
  }

  stateAt(number: number): ReadableState {
    const state = new Draft(this.#below.stateAt(Math.min(number, this.#base)));
    for (const { changes } of this.#replaced.slice(0, Math.max(0, number - this.#base))) state.apply(changes);
    return state;
  }

  registryAt(number: number): RegistryModel {
    return this.#contracts.registry(new Draft(this.stateAt(number)));
  }

  minedByHash(hash: Hash): MinedTransaction | undefined {
    return this.#find((one) => one.hash === hash) ?? this.#ifBelow(this.#below.minedByHash(hash));
  }

  minedByNonce(sender: Address, nonce: number): MinedTransaction | undefined {
    const found = this.#find((one) => one.sender === sender && one.nonce === nonce);
    return found ?? this.#ifBelow(this.#below.minedByNonce(sender, nonce));
  }

  get #base(): number {
    return (this.#replaced[0]?.block.number ?? this.#below.newest.number + 1) - 1;
  }

  #find(matches: (one: MinedTransaction) => boolean): MinedTransaction | undefined {
    return this.#replaced.flatMap(({ block }) => block.transactions).find(matches);
  }

  #ifBelow(mined: MinedTransaction | undefined): MinedTransaction | undefined {
    return mined && mined.blockNumber <= this.#base ? mined : undefined;
  }
}

/** A node of the chain. Its fields define what it hides. Providers of the same node fail together. */
export class SimulatedNode {
  /** The node cannot be reached, and another one answers. */
  unreachable = false;
  /** Number of newest blocks unknown to the node. */
  lagBlocks = 0;
  /** Block number of its stalled head. */
  stalledAt = Number.POSITIVE_INFINITY;
  /** Block number at which its finalized block is stalled. */
  finalStalledAt = Number.POSITIVE_INFINITY;
  /** The node still shows the branch that the last reorg replaced, and no block above. */
  isOnStaleFork = false;
  /** Number of newest blocks whose receipts the node keeps. Its nonces count the earlier transactions too. */
  receiptsKept = Number.POSITIVE_INFINITY;
}

/** A node's view at one moment: of one branch, up to one head. */
export class NodeView {
  readonly head: SimulatedBlock;
  readonly final: SimulatedBlock;
  readonly branch: Branch;
  readonly #receiptsKept: number;

  /** @param confirmations depth of a final block, counting the block itself */
  constructor(branch: Branch, node: SimulatedNode, confirmations: number) {
    const { newest } = branch;
    const blockAt = (number: number) => branch.blockAt(Math.max(0, number)) ?? newest;
    this.branch = branch;
    this.head = blockAt(Math.min(newest.number - node.lagBlocks, node.stalledAt));
    this.final = blockAt(Math.min(this.head.number - confirmations + 1, node.finalStalledAt));
    this.#receiptsKept = node.receiptsKept;
  }

  blockAt(number: number): SimulatedBlock | undefined {
    return number <= this.head.number ? this.branch.blockAt(number) : undefined;
  }

  receiptOf(hash: Hash): Receipt | undefined {
    const receipt = this.branch.minedByHash(hash)?.receipt;
    if (!receipt || receipt.blockNumber > this.head.number) return undefined;
    return this.head.number - receipt.blockNumber < this.#receiptsKept ? receipt : undefined;
  }
}
