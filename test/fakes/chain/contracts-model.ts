import { attestationRegistryAbi } from 'imprimatur-contracts/attestation-registry-abi';
import { delegateForwarderAbi } from 'imprimatur-contracts/delegate-forwarder-abi';
import { type Address, getAbiItem, type Hex, slice, toFunctionSelector } from 'viem';
import type { Call } from '../../../functions/domain/chain.ts';
import { CallRevertedError } from '../../../functions/domain/errors.ts';
import { decodeCall } from './call-decoder.ts';
import { Draft, type ReadableState, type State } from './chain-state.ts';
import { RegistryModel } from './registry-model.ts';

export interface CallResult {
  readonly failures: ReadonlyMap<number, string>;
  readonly skipped: readonly number[];
}

export interface ContractsOptions {
  readonly registryAddress: Address;
  readonly revealDelaySeconds: number;
}

const selectorOf = (name: 'commit' | 'reveal' | 'revealBatch' | 'setChildIpfsHash' | 'setChildIpfsHashes') =>
  toFunctionSelector(getAbiItem({ abi: attestationRegistryAbi, name }));

const batchSelectors = [selectorOf('revealBatch'), selectorOf('setChildIpfsHashes')];

const forwardableSelectors = [
  ...batchSelectors,
  ...(['commit', 'reveal', 'setChildIpfsHash'] as const).map(selectorOf),
];

export function callsInside(data: Hex): readonly Hex[] {
  const { functionName, args } = decodeCall(delegateForwarderAbi, data);
  if (functionName !== 'execute') throw new Error(`the model has no ${functionName}`);
  return args[0];
}

export function isForwarder(state: ReadableState, address: Address): boolean {
  return state.get('forwarder', address) ?? false;
}

export class ContractsModel {
  hasBatches = false;
  readonly #options: ContractsOptions;

  constructor(options: ContractsOptions) {
    this.#options = options;
  }

  registry(state: State): RegistryModel {
    return new RegistryModel(state, this.#options.revealDelaySeconds);
  }

  /** Runs a call at a block time. @throws CallRevertedError; the caller must then drop the changes */
  run(state: State, { from, to, data }: Call, timestamp: number): CallResult {
    if (isForwarder(state, to)) return this.#execute(state, { from, to, data }, timestamp);
    if (to !== this.#options.registryAddress) throw new Error('no contract at this address');
    return { failures: new Map(), skipped: this.#call(state, from, data, timestamp) };
  }

  #call(state: State, sender: Address, data: Hex, timestamp: number): number[] {
    if (!this.hasBatches && batchSelectors.includes(slice(data, 0, 4)))
      throw new CallRevertedError('the registry refused the call');
    return this.registry(state).execute(sender, data, timestamp);
  }

  /** Runs the calls of a forwarder's batch. A call that fails does not affect the others. */
  #execute(state: State, { from, to, data }: Call, timestamp: number): CallResult {
    if (!state.get('operator', `${to} ${from}`)) refuse('sender not operator');
    const failures = new Map<number, string>();
    const skipped: number[] = [];
    for (const [position, call] of callsInside(data).entries()) {
      if (!forwardableSelectors.includes(slice(call, 0, 4))) refuse('selector forbidden');
      const draft = new Draft(state);
      try {
        skipped.push(...this.#call(draft, to, call, timestamp));
        state.apply(draft);
      } catch (error) {
        if (!(error instanceof CallRevertedError)) throw error;
        failures.set(position, error.reason);
      }
    }
    return { failures, skipped };
  }
}

function refuse(reason: string): never {
  throw new CallRevertedError(`the forwarder refused: ${reason}`);
}
