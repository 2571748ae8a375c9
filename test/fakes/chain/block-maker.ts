import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import type { Address, Hash, Hex } from 'viem';
import type { Block, Receipt, RollupFees } from '../../../functions/domain/chain.ts';
import { CallRevertedError } from '../../../functions/domain/errors.ts';
import { decodeCall, isDecodable } from './call-decoder.ts';
import { Draft, type ReadableState, type State } from './chain-state.ts';
import { type ContractsModel, callsInside, isForwarder } from './contracts-model.ts';
import { costOf, type Mempool, type Pooled, type Price, rollupFee } from './mempool.ts';
import type { RegistryModel } from './registry-model.ts';

/** Gas of transactions, and causes of their failures in blocks, which no simulation shows. */
export interface Conditions {
  readonly baseGas: bigint;
  readonly gasPerOperation: bigint;
  /** Every call reverts, as if it ran out of gas. */
  readonly revertsAll: boolean;
  /** A transaction with more operations than this reverts. */
  readonly maxOperations: number;
  /** Calls, and digests of members of a batch, that make their whole transaction revert. */
  readonly revertCauses: ReadonlySet<Hex>;
}

export interface TransactionOutcome {
  readonly succeeded: boolean;
  readonly gasUsed: bigint;
  readonly failedPositions: readonly number[];
}

export function callsOf(state: ReadableState, to: Address, data: Hex): readonly Hex[] {
  if (data === '0x') return [];
  return isForwarder(state, to) ? callsInside(data) : [data];
}

export function gasOf(
  state: ReadableState,
  to: Address,
  data: Hex,
  { baseGas, gasPerOperation }: Pick<Conditions, 'baseGas' | 'gasPerOperation'>,
): bigint {
  return baseGas + BigInt(operationCount(callsOf(state, to, data))) * gasPerOperation;
}

/** Number of operations in the calls. Each member of a batch counts. */
function operationCount(calls: readonly Hex[]): number {
  return calls.reduce((sum, call) => sum + operationsIn(call), 0);
}

function operationsIn(call: Hex): number {
  if (!isDecodable(attestationRegistryAbi, call)) return 1;
  const { functionName, args } = decodeCall(attestationRegistryAbi, call);
  if (functionName === 'revealBatch') return args[1].length;
  return functionName === 'setChildIpfsHashes' ? args[0].length : 1;
}

function digestsIn(call: Hex): Hex[] {
  if (!isDecodable(attestationRegistryAbi, call)) return [];
  const { functionName, args } = decodeCall(attestationRegistryAbi, call);
  return functionName === 'revealBatch' ? args[1].map(({ ipfsHash }) => ipfsHash) : [];
}

/** Runs a transaction at a block time. A transaction that reverts changes nothing. */
export function runTransaction(
  contracts: ContractsModel,
  state: State,
  { sender, to, data, gas }: Pooled,
  timestamp: number,
  conditions: Conditions,
): TransactionOutcome {
  const needed = gasOf(state, to, data, conditions);
  const gasUsed = gas < needed ? gas : needed;
  const reverted = { succeeded: false, gasUsed, failedPositions: [] };
  // A plain transfer has no effect here: only balances of signers matter.
  if (data === '0x') return { ...reverted, succeeded: true };
  if (gas < needed || mustRevert(callsOf(state, to, data), conditions)) return reverted;
  const draft = new Draft(state);
  try {
    const { failures, skipped } = contracts.run(draft, { from: sender, to, data }, timestamp);
    state.apply(draft);
    const succeeded = failures.size === 0 || callsOf(state, to, data).length > 1;
    return { succeeded, gasUsed, failedPositions: [...failures.keys(), ...skipped] };
  } catch (error) {
    if (error instanceof CallRevertedError) return reverted;
    throw error;
  }
}

function mustRevert(calls: readonly Hex[], { revertsAll, maxOperations, revertCauses }: Conditions): boolean {
  const mustFail = (call: Hex) => [call, ...digestsIn(call)].some((one) => revertCauses.has(one));
  return revertsAll || operationCount(calls) > maxOperations || calls.some(mustFail);
}

export interface MinedTransaction extends Pooled, Receipt {
  readonly pooled: Pooled;
  readonly receipt: Receipt;
}

export interface HashedBlock extends Block {
  readonly hash: Hash;
}

/** An action of an account outside the service. It runs before the block's transactions. @throws CallRevertedError */
export type Act = (state: State, timestamp: number) => void;

export interface SimulatedBlock extends HashedBlock {
  readonly registry: RegistryModel;
  readonly acts: readonly Act[];
  readonly transactions: readonly MinedTransaction[];
}

/** Balance in wei of each account whose balance no test sets. */
const defaultBalance = 10n ** 27n;

export function balanceOf(state: ReadableState, account: Address): bigint {
  return state.get('balance', account) ?? defaultBalance;
}

interface MiningRules extends Price, Conditions {
  readonly rollupFees: RollupFees | undefined;
}

/** Takes out of the pool the transactions that pay enough, and runs them. */
export class BlockMaker {
  readonly #contracts: ContractsModel;
  readonly #mempool: Mempool;
  readonly #rules: MiningRules;

  constructor(contracts: ContractsModel, mempool: Mempool, terms: MiningRules) {
    this.#contracts = contracts;
    this.#mempool = mempool;
    this.#rules = terms;
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

  /** A transaction that its sender cannot pay for stays in the pool. */
  #take(state: State, sender: Address): Pooled | undefined {
    const nonce = state.get('nonce', sender) ?? 0;
    const next = this.#mempool.find(sender, nonce);
    const isCovered = next && costOf(next, this.#rules.rollupFees) <= balanceOf(state, sender);
    return isCovered ? this.#mempool.take(sender, nonce, this.#rules) : undefined;
  }

  #run(state: State, pooled: Pooled, block: HashedBlock): MinedTransaction {
    const { sender, nonce, hash } = pooled;
    const run = runTransaction(this.#contracts, state, pooled, block.timestamp, this.#rules);
    const fee = run.gasUsed * this.#priceOf(pooled) + rollupFee(run.gasUsed, this.#rules.rollupFees);
    state.set('nonce', sender, nonce + 1);
    state.set('balance', sender, balanceOf(state, sender) - fee);
    const { succeeded, failedPositions } = run;
    const blockFields = { blockHash: block.hash, blockNumber: block.number, blockTimestamp: block.timestamp };
    const receipt = { hash, succeeded, ...blockFields, fee, failedPositions };
    return { ...pooled, ...receipt, pooled, receipt };
  }

  #priceOf({ maxFeePerGas, maxPriorityFeePerGas }: Pooled): bigint {
    const offered = this.#rules.baseFee + maxPriorityFeePerGas;
    return offered < maxFeePerGas ? offered : maxFeePerGas;
  }
}
