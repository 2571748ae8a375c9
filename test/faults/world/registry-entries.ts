import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, zeroAddress } from 'viem';
import { attestationRegistryAbi as abi } from '../../../contracts/artifacts/attestation-registry-abi.ts';
import type { RealWorld } from '../../fakes/real/real-world.ts';

/** One attestation as the registry keeps it, at the newest block. */
export interface RegistryRecord {
  readonly attestationIndex: number;
  readonly digest: Hex;
  readonly authorityAddress: Address;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** 0 while it stands. */
  readonly revokedAt: number;
  /** Zero without a child. */
  readonly childDigest: Hex;
}

/** All that the registry holds, the first one first. */
export async function registryRecords(world: RealWorld): Promise<RegistryRecord[]> {
  const records: RegistryRecord[] = [];
  for (;;) {
    const record = await registryRecord(world, records.length + 1);
    if (record.authorityAddress === zeroAddress) return records;
    records.push(record);
  }
}

async function registryRecord({ chain }: RealWorld, attestationIndex: number): Promise<RegistryRecord> {
  const functionName = 'attestations';
  const call = {
    to: chain.settings.registryAddress,
    data: encodeFunctionData({ abi, functionName, args: [BigInt(attestationIndex)] }),
  };
  const data = (await chain.node.ask('eth_call', [call, 'latest'])) as Hex;
  const [digest, , , authorityAddress, timestamp, revokedAt, childDigest] = decodeFunctionResult({
    ...{ abi, functionName, data },
  });
  return {
    ...{ attestationIndex, digest, authorityAddress, childDigest },
    timestamp: Number(timestamp),
    revokedAt: Number(revokedAt),
  };
}
