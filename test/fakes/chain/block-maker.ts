import type { Address, Hash } from 'viem';
import type { Block, Receipt, RollupFees } from '../../../functions/domain/chain.ts';
import type { ReadableState, State } from './chain-state.ts';
import type { ContractsModel } from './contracts-model.ts';
import type { Mempool, Pooled, Price } from './mempool.ts';
import type { RegistryModel } from './registry-model.ts';
import { type Conditions, runTransaction } from './transaction-model.ts';

export interface MinedTransaction extends Pooled, Receipt {
  /** The transaction as it was sent. */
  readonly pooled: Pooled;
  readonly receipt: Receipt;
}

export interface HashedBlock extends Block {
  readonly hash: Hash;
}

/** An act of an account outside the service, run first in a block of that time. @throws CallRevertedError */
export type Act = (state: State, timestamp: number) => void;

export interface SimulatedBlock extends HashedBlock {
  readonly registry: RegistryModel;
  readonly acts: readonly Act[];
  readonly transactions: readonly MinedTransaction[];
}

/** Balance of every account that was not set otherwise, in wei. */
const usualBalance = 10n ** 27n;

/** Balance of an account, in wei. */
export function balanceOf(state: ReadableState, account: Address): bigint {
  return state.get('balance', account) ?? usualBalance;
}

/** Greatest cost of a transaction, in wei. */
export function costOf({ gas, maxFeePerGas }: Pooled, rollupFees?: RollupFees): bigint {
  return gas * maxFeePerGas + rollupFee(gas, rollupFees);
}

function rollupFee(gas: bigint, fees?: RollupFees): bigint {
  if (!fees) return 0n;
  return fees.dataFee + fees.operatorFeeConstant + (gas * fees.operatorFeePerMillionGas) / 1_000_000n;
}

interface Terms extends Price, Conditions {
  readonly rollupFees: RollupFees | undefined;
}

/** Takes the transactions that pay enough out of the pool, and runs them. */
export class BlockMaker {
  readonly #contracts: ContractsModel;
  readonly #mempool: Mempool;
  readonly #terms: Terms;

  constructor(contracts: ContractsModel, mempool: Mempool, terms: Terms) {
    this.#contracts = contracts;
    this.#mempool = mempool;
    this.#terms = terms;
  }

  fill(state: State, block: HashedBlock): MinedTransaction[] {
    const mined: MinedTransaction[] = [];
    for (const sender of this.#mempool.senders()) {
      for (let next = this.#take(state, sender); next; next = this.#take(state, sender)) {
        mined.push(this.#run(state, next, block));
      }
    }
    return mined;
  }

  /** A transaction that its sender cannot pay for waits. */
  #take(state: State, sender: Address): Pooled | undefined {
    const nonce = state.get('nonce', sender) ?? 0;
    const next = this.#mempool.at(sender, nonce);
    const isCovered = next && costOf(next, this.#terms.rollupFees) <= balanceOf(state, sender);
    return isCovered ? this.#mempool.take(sender, nonce, this.#terms) : undefined;
  }

  #run(state: State, pooled: Pooled, block: HashedBlock): MinedTransaction {
    const { sender, nonce, hash } = pooled;
    const run = runTransaction(this.#contracts, state, pooled, block.timestamp, this.#terms);
    const fee = run.gasUsed * this.#priceOf(pooled) + rollupFee(run.gasUsed, this.#terms.rollupFees);
    state.set('nonce', sender, nonce + 1);
    state.set('balance', sender, balanceOf(state, sender) - fee);
    const { succeeded, failedPositions } = run;
    const where = { blockHash: block.hash, blockNumber: block.number, blockTimestamp: block.timestamp };
    const receipt = { hash, succeeded, ...where, fee, failedPositions };
    return { ...pooled, ...receipt, pooled, receipt };
  }

  /** Price of a transaction, in wei per gas. */
  #priceOf({ maxFeePerGas, maxPriorityFeePerGas }: Pooled): bigint {
    const offered = this.#terms.baseFee + maxPriorityFeePerGas;
    return offered < maxFeePerGas ? offered : maxFeePerGas;
  }
}
