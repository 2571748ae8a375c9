import { type Address, createClient, custom, decodeFunctionResult, encodeFunctionData } from 'viem';
import { multicall } from 'viem/actions';
import {
  attestationsFunction,
  delegationsFunction,
  cidAndAddressToAttestationIndicesFunction as indexFunction,
} from '../../../contracts/artifacts/attestation-registry-abi.ts';
import { isOperatorFunction } from '../../../contracts/artifacts/delegate-forwarder-abi.ts';
import type { ContentUnderAuthority, RegistryEntry, RegistryState } from '../../domain/chain.ts';
import { type BlockParameter, callView } from './calls.ts';
import { hex, type Rpc } from './rpc.ts';

/** The registry names an attestation that it does not have: its views are of different blocks. */
class EntryMissingError extends Error {
  override readonly name = 'EntryMissingError';
  constructor(attestationIndex: number) {
    super(`a provider shows nothing of attestation ${attestationIndex}`);
  }
}

/** Reads the state of one content at that block. */
export async function readRegistryState(
  rpc: Rpc,
  { registryAddress, digest, authorityAddress }: ContentUnderAuthority,
  at: BlockParameter,
): Promise<RegistryState> {
  const index = encodeFunctionData({ abi: [indexFunction], args: [digest, authorityAddress] });
  const delegation = encodeFunctionData({ abi: [delegationsFunction], args: [authorityAddress] });
  const [indexData, delegationData] = await Promise.all([
    callView(rpc, registryAddress, index, at),
    callView(rpc, registryAddress, delegation, at),
  ]);
  const [delegateAddress] = decodeFunctionResult({ abi: [delegationsFunction], data: delegationData });
  const attestationIndex = decodeFunctionResult({ abi: [indexFunction], data: indexData });
  return { attestationIndex: Number(attestationIndex), delegateAddress };
}

/**
 * Calldata of the views in one call of a node, in bytes. With what surrounds each view it stays below the size that a
 * node takes of code that is run without being deployed (EIP-3860), with some hundred contents.
 */
const multicallBytes = 7_000;

/** Reads the states of many contents at that block, in one call of a node for the indices and one for the delegates. */
export async function readRegistryStates(
  rpc: Rpc,
  queries: readonly ContentUnderAuthority[],
  at: BlockParameter,
): Promise<RegistryState[]> {
  const request = ({ method, params }: { method: string; params?: unknown }) =>
    rpc(method, params as readonly unknown[], hex);
  const client = createClient({ transport: custom({ request }, { retryCount: 0 }) });
  const how = {
    ...(typeof at === 'object' ? at : at === 'latest' ? {} : { blockNumber: BigInt(at) }),
    ...({ allowFailure: false, deployless: true, batchSize: multicallBytes } as const),
  };
  const [indices, delegations] = await Promise.all([
    multicall(client, {
      ...how,
      contracts: queries.map(({ registryAddress: address, digest, authorityAddress }) => ({
        ...({ address, abi: [indexFunction], functionName: indexFunction.name } as const),
        args: [digest, authorityAddress] as const,
      })),
    }),
    multicall(client, {
      ...how,
      contracts: queries.map(({ registryAddress: address, authorityAddress }) => ({
        ...({ address, abi: [delegationsFunction], functionName: delegationsFunction.name } as const),
        args: [authorityAddress] as const,
      })),
    }),
  ]);
  return delegations.map(([delegateAddress], position) => ({
    attestationIndex: Number(indices[position]),
    delegateAddress,
  }));
}

/** Reads an entry at that block. @throws EntryMissingError */
export async function readEntry(
  rpc: Rpc,
  registryAddress: Address,
  attestationIndex: number,
  at: BlockParameter,
): Promise<RegistryEntry> {
  const abi = [attestationsFunction] as const;
  const called = encodeFunctionData({ abi, args: [BigInt(attestationIndex)] });
  const entry = decodeFunctionResult({ abi, data: await callView(rpc, registryAddress, called, at) });
  const [timestamp, revokedAt] = [Number(entry[4]), Number(entry[5])];
  if (timestamp === 0) throw new EntryMissingError(attestationIndex);
  return { timestamp, revokedAt };
}

/** Whether the forwarder takes calls from the signer at the end of that block. */
export async function isOperator(
  rpc: Rpc,
  forwarderAddress: Address,
  signerAddress: Address,
  at: BlockParameter,
): Promise<boolean> {
  const abi = [isOperatorFunction] as const;
  const called = encodeFunctionData({ abi, args: [signerAddress] });
  const data = await callView(rpc, forwarderAddress, called, at);
  return decodeFunctionResult({ abi, data });
}
