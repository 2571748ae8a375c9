import type { Address, Hash } from 'viem';
import type { MinedTransaction, SimulatedBlock } from './block-maker.ts';
import { Draft, type ReadableState } from './chain-state.ts';
import type { ContractsModel } from './contracts-model.ts';
import type { RegistryModel } from './registry-model.ts';

/** Blocks, each on the one below, with the state after each of them. */
export interface Branch {
  readonly newest: SimulatedBlock;
  blockAt(number: number): SimulatedBlock | undefined;
  stateAt(number: number): ReadableState;
  registryAt(number: number): RegistryModel;
  minedWith(hash: Hash): MinedTransaction | undefined;
  minedAt(sender: Address, nonce: number): MinedTransaction | undefined;
}

/** A block that a reorganisation took off, and what it changed. */
export interface ReplacedBlock {
  readonly block: SimulatedBlock;
  readonly changes: Pick<Draft, 'writes'>;
}

/** The branch that a reorganisation replaced, as a node shows it that has not heard of the other. */
export class StaleFork implements Branch {
  readonly #below: Branch;
  readonly #contracts: ContractsModel;
  /** Oldest first. */
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
    for (const { changes } of this.#replaced.slice(0, Math.max(0, number - this.#base)))
      state.absorb(changes);
    return state;
  }

  registryAt(number: number): RegistryModel {
    return this.#contracts.registry(new Draft(this.stateAt(number)));
  }

  minedWith(hash: Hash): MinedTransaction | undefined {
    return this.#find((one) => one.hash === hash) ?? this.#ifBelow(this.#below.minedWith(hash));
  }

  minedAt(sender: Address, nonce: number): MinedTransaction | undefined {
    const found = this.#find((one) => one.sender === sender && one.nonce === nonce);
    return found ?? this.#ifBelow(this.#below.minedAt(sender, nonce));
  }

  /** Number of the newest block that both branches have. */
  get #base(): number {
    return (this.#replaced[0]?.block.number ?? this.#below.newest.number + 1) - 1;
  }

  #find(isSought: (one: MinedTransaction) => boolean): MinedTransaction | undefined {
    return this.#replaced.flatMap(({ block }) => block.transactions).find(isSought);
  }

  #ifBelow(mined: MinedTransaction | undefined): MinedTransaction | undefined {
    return mined && mined.blockNumber <= this.#base ? mined : undefined;
  }
}
