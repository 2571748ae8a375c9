import { type Address, decodeFunctionResult, encodeFunctionData } from 'viem';
import { attestationRegistryAbi as abi } from '../../contracts/artifacts/attestation-registry-abi.ts';
import type { ContentUnderAuthority, Registry } from '../domain/ports.ts';
import { callView } from './viem-call.ts';
import type { Ask } from './viem-providers.ts';
import type { Rpc } from './viem-rpc.ts';

/** The registry's views at that block, or at the newest; those asked at once share one request. */
export function viemRegistry(ask: Ask, blockNumber?: number): Registry {
  return {
    standing: (query) =>
      ask(async (rpc) => {
        const [attestationIndex, delegateAddress] = await Promise.all([
          readIndex(rpc, query, blockNumber),
          readDelegate(rpc, query, blockNumber),
        ]);
        return { attestationIndex, delegateAddress };
      }),
    entry: (registryAddress, attestationIndex) =>
      ask(async (rpc) => {
        const functionName = 'attestations';
        const args = [BigInt(attestationIndex)] as const;
        const called = encodeFunctionData({ abi, functionName, args });
        const data = await callView(rpc, registryAddress, called, blockNumber);
        const entry = decodeFunctionResult({ abi, functionName, data });
        return { timestamp: Number(entry[4]), revokedAt: Number(entry[5]) };
      }),
  };
}

async function readIndex(
  rpc: Rpc,
  { registryAddress, digest, authorityAddress }: ContentUnderAuthority,
  blockNumber: number | undefined,
): Promise<number> {
  const functionName = 'cidAndAddressToAttestationIndices';
  const called = encodeFunctionData({ abi, functionName, args: [digest, authorityAddress] });
  const data = await callView(rpc, registryAddress, called, blockNumber);
  return Number(decodeFunctionResult({ abi, functionName, data }));
}

async function readDelegate(
  rpc: Rpc,
  { registryAddress, authorityAddress }: ContentUnderAuthority,
  blockNumber: number | undefined,
): Promise<Address> {
  const functionName = 'delegations';
  const called = encodeFunctionData({ abi, functionName, args: [authorityAddress] });
  const data = await callView(rpc, registryAddress, called, blockNumber);
  return decodeFunctionResult({ abi, functionName, data })[0];
}
