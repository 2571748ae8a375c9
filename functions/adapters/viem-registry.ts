import type { Address, Client, Hex } from 'viem';
import { readContract } from 'viem/actions';
import { attestationRegistryAbi as abi } from '../../contracts/artifacts/attestation-registry-abi.ts';
import type { Registry } from '../domain/ports.ts';

/** Runs a call on the chain; what fails is "unreachable", and never quotes a URL. */
export type Ask = <Result>(call: (client: Client) => Promise<Result>) => Promise<Result>;

function atBlock(blockNumber: number | undefined) {
  return blockNumber === undefined ? {} : { blockNumber: BigInt(blockNumber) };
}

/** The registry's views through viem; those asked at once share one request. */
export function viemRegistry(ask: Ask): Registry {
  return {
    standing: ({ registryAddress: address, digest, authorityAddress }, blockNumber) =>
      ask(async (client) => {
        const [attestationIndex, delegateAddress] = await Promise.all([
          readIndex(client, { address, digest, authorityAddress, blockNumber }),
          readDelegate(client, { address, authorityAddress, blockNumber }),
        ]);
        return { attestationIndex, delegateAddress };
      }),
    entry: (address, attestationIndex, blockNumber) =>
      ask(async (client) => {
        const view = {
          abi,
          address,
          functionName: 'attestations',
          args: [BigInt(attestationIndex)],
        } as const;
        const entry = await readContract(client, { ...view, ...atBlock(blockNumber) });
        return { timestamp: Number(entry[4]), revokedAt: Number(entry[5]) };
      }),
  };
}

interface View {
  readonly address: Address;
  readonly authorityAddress: Address;
  readonly blockNumber: number | undefined;
}

async function readDelegate(client: Client, { address, authorityAddress, blockNumber }: View) {
  const view = { abi, address, functionName: 'delegations', args: [authorityAddress] } as const;
  const [delegateAddress] = await readContract(client, { ...view, ...atBlock(blockNumber) });
  return delegateAddress;
}

async function readIndex(client: Client, query: View & { digest: Hex }): Promise<number> {
  const { address, digest, authorityAddress, blockNumber } = query;
  const args = [digest, authorityAddress] as const;
  const view = { abi, address, functionName: 'cidAndAddressToAttestationIndices', args } as const;
  return Number(await readContract(client, { ...view, ...atBlock(blockNumber) }));
}
