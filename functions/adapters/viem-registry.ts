import type { Address, Hex, PublicClient } from 'viem';
import { attestationRegistryAbi as abi } from '../../contracts/artifacts/attestation-registry-abi.ts';
import type { Registry } from '../domain/ports.ts';

/** Runs a call on the chain; what fails is "unreachable", and never quotes a URL. */
export type Ask = <Result>(call: (client: PublicClient) => Promise<Result>) => Promise<Result>;

function atBlock(blockNumber: number | undefined) {
  return blockNumber === undefined ? {} : { blockNumber: BigInt(blockNumber) };
}

/** The registry's views through viem; those asked at once share one request. */
export function viemRegistry(ask: Ask): Registry {
  return {
    standing: ({ registryAddress: address, digest, authorityAddress }, blockNumber) =>
      ask(async (client) => {
        const [attestationIndex, [delegateAddress]] = await Promise.all([
          readIndex(client, { address, digest, authorityAddress, blockNumber }),
          client.readContract({
            ...{ abi, address, functionName: 'delegations', args: [authorityAddress] },
            ...atBlock(blockNumber),
          }),
        ]);
        return { attestationIndex, delegateAddress };
      }),
    entry: (address, attestationIndex, blockNumber) =>
      ask(async (client) => {
        const args = [BigInt(attestationIndex)] as const;
        const view = { abi, address, functionName: 'attestations', args } as const;
        const entry = await client.readContract({ ...view, ...atBlock(blockNumber) });
        return { timestamp: Number(entry[4]), revokedAt: Number(entry[5]) };
      }),
  };
}

interface IndexQuery {
  readonly address: Address;
  readonly digest: Hex;
  readonly authorityAddress: Address;
  readonly blockNumber: number | undefined;
}

async function readIndex(client: PublicClient, query: IndexQuery): Promise<number> {
  const { address, digest, authorityAddress, blockNumber } = query;
  const args = [digest, authorityAddress] as const;
  const view = { abi, address, functionName: 'cidAndAddressToAttestationIndices', args } as const;
  return Number(await client.readContract({ ...view, ...atBlock(blockNumber) }));
}
