import {
  attestationsFunction,
  batchMaxMemberCountFunction,
  delegationsFunction,
  cidAndAddressToAttestationIndicesFunction as indexFunction,
} from 'imprimatur-contracts/attestation-registry-abi';
import { isOperatorFunction } from 'imprimatur-contracts/delegate-forwarder-abi';
import { registryStatesAbi } from 'imprimatur-contracts/registry-states-abi';
import { registryStatesBytecode } from 'imprimatur-contracts/registry-states-bytecode';
import {
  type Address,
  decodeAbiParameters,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
} from 'viem';
import type { ContentUnderAuthority, RegistryEntry, RegistryState } from '../../domain/chain.ts';
import { CallRevertedError } from '../../domain/errors.ts';
import { type BlockParameter, callView } from './calls.ts';
import { hex, type Rpc } from './rpc.ts';
import { catchRevert } from './rpc-errors.ts';

export async function readRegistryState(
  rpc: Rpc,
  { registryAddress, digest, authorityAddress }: ContentUnderAuthority,
  block: BlockParameter,
): Promise<RegistryState> {
  const index = encodeFunctionData({ abi: [indexFunction], args: [digest, authorityAddress] });
  const delegation = encodeFunctionData({ abi: [delegationsFunction], args: [authorityAddress] });
  const [indexData, delegationData] = await Promise.all([
    callView(rpc, registryAddress, index, block),
    callView(rpc, registryAddress, delegation, block),
  ]);
  const [delegateAddress] = decodeFunctionResult({ abi: [delegationsFunction], data: delegationData });
  const attestationIndex = decodeFunctionResult({ abi: [indexFunction], data: indexData });
  return { attestationIndex: Number(attestationIndex), delegateAddress };
}

const registryStates = [
  {
    type: 'tuple[]',
    components: [
      { name: 'attestationIndex', type: 'uint256' },
      { name: 'delegateAddress', type: 'address' },
    ],
  },
] as const;

/** Reads the states of many contents at the block in one call, by code that runs without being deployed. */
export async function readRegistryStates(
  rpc: Rpc,
  queries: readonly ContentUnderAuthority[],
  block: BlockParameter,
): Promise<RegistryState[]> {
  const tuples = queries.map(({ registryAddress, digest, authorityAddress }) => ({
    registry: registryAddress,
    ipfsHash: digest,
    authority: authorityAddress,
  }));
  const data = encodeDeployData({ abi: registryStatesAbi, bytecode: registryStatesBytecode, args: [tuples] });
  const [states] = decodeAbiParameters(registryStates, await rpc('eth_call', [{ data }, block], hex));
  return states.map(({ attestationIndex, delegateAddress }) => ({
    attestationIndex: Number(attestationIndex),
    delegateAddress,
  }));
}

export async function readEntry(
  rpc: Rpc,
  registryAddress: Address,
  attestationIndex: number,
  block: BlockParameter,
): Promise<RegistryEntry> {
  const abi = [attestationsFunction] as const;
  const input = encodeFunctionData({ abi, args: [BigInt(attestationIndex)] });
  const entry = decodeFunctionResult({ abi, data: await callView(rpc, registryAddress, input, block) });
  const [timestamp, revokedAt] = [Number(entry[4]), Number(entry[5])];
  // The registry refers to an attestation that it lacks: its answers come from different blocks.
  if (timestamp === 0) throw new Error(`a provider does not show attestation ${attestationIndex}`);
  return { quoteRoot: entry[1], timestamp, revokedAt };
}

/** Returns whether the registry accepts batches; `undefined` while a provider shows no contract at that address. */
export async function canBatch(rpc: Rpc, registryAddress: Address): Promise<boolean | undefined> {
  const data = encodeFunctionData({ abi: [batchMaxMemberCountFunction] });
  try {
    const answer = await catchRevert(callView(rpc, registryAddress, data, 'latest'));
    return answer === '0x' ? undefined : BigInt(answer) > 0n;
  } catch (error) {
    if (error instanceof CallRevertedError) return false;
    throw error;
  }
}

export async function isOperator(
  rpc: Rpc,
  forwarderAddress: Address,
  signerAddress: Address,
  block: BlockParameter,
): Promise<boolean> {
  const abi = [isOperatorFunction] as const;
  const input = encodeFunctionData({ abi, args: [signerAddress] });
  const data = await callView(rpc, forwarderAddress, input, block);
  return decodeFunctionResult({ abi, data });
}
