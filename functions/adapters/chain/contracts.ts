import { type Address, decodeFunctionResult, encodeFunctionData } from 'viem';
import {
  attestationsFunction,
  cidAndAddressToAttestationIndicesFunction,
  delegationsFunction,
} from '../../../contracts/artifacts/attestation-registry-abi.ts';
import { isOperatorFunction } from '../../../contracts/artifacts/delegate-forwarder-abi.ts';
import type { ContentUnderAuthority, Registry } from '../../domain/chain.ts';
import { callView } from './calls.ts';
import type { AskProvider } from './providers.ts';
import type { Rpc } from './rpc.ts';

/** Creates the registry's views at that block, or at the newest; views called at once share one request. */
export function viemRegistry(ask: AskProvider, blockNumber?: number): Registry {
  return {
    registryState: (query) =>
      ask(async (rpc) => {
        const [attestationIndex, delegateAddress] = await Promise.all([
          readIndex(rpc, query, blockNumber),
          readDelegate(rpc, query, blockNumber),
        ]);
        return { attestationIndex, delegateAddress };
      }),
    entry: (registryAddress, attestationIndex) =>
      ask(async (rpc) => {
        const abi = [attestationsFunction] as const;
        const called = encodeFunctionData({ abi, args: [BigInt(attestationIndex)] });
        const data = await callView(rpc, registryAddress, called, blockNumber);
        const entry = decodeFunctionResult({ abi, data });
        return { timestamp: Number(entry[4]), revokedAt: Number(entry[5]) };
      }),
  };
}

async function readIndex(
  rpc: Rpc,
  { registryAddress, digest, authorityAddress }: ContentUnderAuthority,
  blockNumber: number | undefined,
): Promise<number> {
  const abi = [cidAndAddressToAttestationIndicesFunction] as const;
  const called = encodeFunctionData({ abi, args: [digest, authorityAddress] });
  const data = await callView(rpc, registryAddress, called, blockNumber);
  return Number(decodeFunctionResult({ abi, data }));
}

async function readDelegate(
  rpc: Rpc,
  { registryAddress, authorityAddress }: ContentUnderAuthority,
  blockNumber: number | undefined,
): Promise<Address> {
  const abi = [delegationsFunction] as const;
  const called = encodeFunctionData({ abi, args: [authorityAddress] });
  const data = await callView(rpc, registryAddress, called, blockNumber);
  return decodeFunctionResult({ abi, data })[0];
}

/** Whether the forwarder takes calls from the signer at the end of that block, or of the newest. */
export async function isOperator(
  rpc: Rpc,
  forwarderAddress: Address,
  signerAddress: Address,
  blockNumber?: number,
): Promise<boolean> {
  const abi = [isOperatorFunction] as const;
  const called = encodeFunctionData({ abi, args: [signerAddress] });
  const data = await callView(rpc, forwarderAddress, called, blockNumber);
  return decodeFunctionResult({ abi, data });
}
