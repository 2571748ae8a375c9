import { attestationRegistryAbi as abi } from 'imprimatur-contracts/attestation-registry-abi';
import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import type { Key } from '../../../functions/domain/records.ts';
import { RpcRefusal } from '../rpc/rpc-call.ts';
import { registryAddress, type World } from '../world/world.ts';
import type { RealWorld } from './real-world.ts';

const revertCode = 3;

/** Converts a real world for outcome-checks.ts. @throws Error if a transaction was sent before it was stored */
export async function evidenceOf(world: RealWorld): Promise<World> {
  const { chain, records, contracts, unstored } = world;
  if (unstored.length > 0) throw new Error(`sent before it was stored: ${unstored}`);
  // The checks know only the registry of the fake worlds.
  const toFakeAddress = (to: Address) => (to === contracts.registryAddress ? registryAddress : to);
  const receipts = (await chain.receipts()).map((one) => ({ ...one, to: toFakeAddress(one.to) }));
  const stored = await records.all();
  const peek = ({ pk, sk }: Key) => stored.find(({ key }) => key.pk === pk && key.sk === sk)?.fields;
  const registry = registryOf(await registryRecords(world));
  const evidence = {
    ...world,
    forwarderAddress: contracts.forwarderAddress,
    records: { get: async (key: Key) => peek(key), all: () => stored, peek },
    chain: {
      ...{ registry: chain.registry, atFinal: chain.atFinal },
      ...{ receipts: () => receipts, newest: { registry } },
    },
  };
  return evidence as unknown as World;
}

export interface RegistryRecord {
  readonly attestationIndex: number;
  readonly digest: Hex;
  readonly authorityAddress: Address;
  readonly timestamp: number;
  readonly revokedAt: number;
  readonly childDigest: Hex;
}

function registryOf(entries: readonly RegistryRecord[]) {
  return { count: entries.length, entry: (index: number) => entries[index - 1] ?? { revokedAt: 0 } };
}

/** Reads all records of the registry in order. The registry refuses the index above the last. */
export async function registryRecords(world: RealWorld): Promise<RegistryRecord[]> {
  const records: RegistryRecord[] = [];
  try {
    for (;;) records.push(await registryRecord(world, records.length + 1));
  } catch (error) {
    if (error instanceof RpcRefusal && error.error.code === revertCode) return records;
    throw error;
  }
}

async function registryRecord({ chain }: RealWorld, attestationIndex: number): Promise<RegistryRecord> {
  const functionName = 'attestations';
  const call = {
    to: chain.settings.registryAddress,
    data: encodeFunctionData({ abi, functionName, args: [BigInt(attestationIndex)] }),
  };
  const data = (await chain.node.request('eth_call', [call, 'latest'])) as Hex;
  const [digest, , , authorityAddress, timestamp, revokedAt, childDigest] = decodeFunctionResult({
    ...{ abi, functionName, data },
  });
  return {
    ...{ attestationIndex, digest, authorityAddress, childDigest },
    timestamp: Number(timestamp),
    revokedAt: Number(revokedAt),
  };
}
