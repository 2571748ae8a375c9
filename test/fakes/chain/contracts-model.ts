import { type Address, getAbiItem, type Hex, slice, toFunctionSelector } from 'viem';
import { attestationRegistryAbi } from '../../../contracts/artifacts/attestation-registry-abi.ts';
import { delegateForwarderAbi } from '../../../contracts/artifacts/delegate-forwarder-abi.ts';
import type { Call } from '../../../functions/domain/chain.ts';
import { CallRevertedError } from '../../../functions/domain/errors.ts';
import { decodeCall } from './call-decoder.ts';
import { Draft, type ReadableState, type State } from './chain-state.ts';
import { RegistryModel } from './registry-model.ts';

/** Error messages of the calls that failed inside a forwarder's batch, by position. */
export type Failures = ReadonlyMap<number, string>;

export interface ContractsGiven {
  readonly registryAddress: Address;
  readonly revealDelaySeconds: number;
}

const forwardable = (
  ['commit', 'reveal', 'revealBatch', 'setChildIpfsHash', 'setChildIpfsHashes'] as const
).map((name) => toFunctionSelector(getAbiItem({ abi: attestationRegistryAbi, name })));

/** Decodes the calls inside a forwarder's `execute`. */
export function callsInside(data: Hex): readonly Hex[] {
  const { functionName, args } = decodeCall(delegateForwarderAbi, data);
  if (functionName !== 'execute') throw new Error(`the model has no ${functionName}`);
  return args[0];
}

export function isForwarder(state: ReadableState, address: Address): boolean {
  return state.get('forwarder', address) ?? false;
}

/** The registry and the forwarders of a chain. */
export class ContractsModel {
  readonly #given: ContractsGiven;

  constructor(given: ContractsGiven) {
    this.#given = given;
  }

  registry(state: State): RegistryModel {
    return new RegistryModel(state, this.#given.revealDelaySeconds);
  }

  /**
   * Runs a call at that block time.
   *
   * @throws CallRevertedError; the changes made before it are to be dropped
   */
  run(state: State, { from, to, data }: Call, timestamp: number): Failures {
    if (isForwarder(state, to)) return this.#execute(state, { from, to, data }, timestamp);
    if (to !== this.#given.registryAddress) throw new Error('no contract at this address');
    this.registry(state).execute(from, data, timestamp);
    return new Map();
  }

  /** The failure of one call leaves the others as they are. */
  #execute(state: State, { from, to, data }: Call, timestamp: number): Failures {
    if (!state.get('operator', `${to} ${from}`)) refuse('sender not operator');
    const failures = new Map<number, string>();
    for (const [position, call] of callsInside(data).entries()) {
      if (!forwardable.includes(slice(call, 0, 4))) refuse('selector forbidden');
      const reason = this.#forward(state, to, call, timestamp);
      if (reason !== undefined) failures.set(position, reason);
    }
    return failures;
  }

  #forward(state: State, forwarder: Address, call: Hex, timestamp: number): string | undefined {
    const draft = new Draft(state);
    try {
      this.registry(draft).execute(forwarder, call, timestamp);
    } catch (error) {
      if (error instanceof CallRevertedError) return error.reason;
      throw error;
    }
    state.absorb(draft);
    return undefined;
  }
}

function refuse(words: string): never {
  throw new CallRevertedError(`the forwarder refused: ${words}`);
}
