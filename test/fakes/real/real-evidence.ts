import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, zeroAddress } from 'viem';
import { attestationRegistryAbi as abi } from '../../../contracts/artifacts/attestation-registry-abi.ts';
import type { Key } from '../../../functions/domain/records.ts';
import { registryAddress, type World } from '../world/world.ts';
import type { RealWorld } from './real-world.ts';

/**
 * Gives the results of a real world to the checks of outcome-checks.ts, which read a fake world, synchronously.
 *
 * @throws Error when a transaction was sent before its hash was stored
 */
export async function evidenceOf(world: RealWorld): Promise<World> {
  const { chain, records, contracts, unstored } = world;
  if (unstored.length > 0) throw new Error(`sent before it was stored: ${unstored}`);
  // The checks know only the registry of the fake worlds.
  const shown = (to: Address) => (to === contracts.registryAddress ? registryAddress : to);
  const receipts = (await chain.receipts()).map((one) => ({ ...one, to: shown(one.to) }));
  const stored = await records.all();
  const peek = ({ pk, sk }: Key) => stored.find(({ key }) => key.pk === pk && key.sk === sk)?.fields;
  const registry = registryOf(await readEntries(world));
  const evidence = {
    ...world,
    records: { get: async (key: Key) => peek(key), all: () => stored, peek },
    chain: {
      ...{ registry: chain.registry, atFinal: chain.atFinal },
      ...{ receipts: () => receipts, newest: { registry } },
    },
  };
  return evidence as unknown as World;
}

interface Entry {
  readonly digest: Hex;
  readonly authorityAddress: Address;
  readonly revokedAt: number;
  readonly childDigest: Hex;
}

/** The registry as `RegistryModel` shows it. */
function registryOf(entries: readonly Entry[]) {
  return {
    count: entries.length,
    entry: (index: number) => entries[index - 1] ?? { revokedAt: 0 },
    registryState: (digest: Hex, authorityAddress: Address) => ({
      attestationIndex:
        1 + entries.findIndex((one) => one.digest === digest && one.authorityAddress === authorityAddress),
    }),
  };
}

/** Reads the registry's attestations, in the order of their index. */
async function readEntries({ chain }: RealWorld): Promise<Entry[]> {
  const functionName = 'attestations';
  const entries: Entry[] = [];
  for (;;) {
    const args = [BigInt(entries.length + 1)] as const;
    const call = {
      to: chain.settings.registryAddress,
      data: encodeFunctionData({ abi, functionName, args }),
    };
    const data = (await chain.node.ask('eth_call', [call, 'latest'])) as Hex;
    const [digest, , , authorityAddress, , revokedAt, childDigest] = decodeFunctionResult({
      abi,
      functionName,
      data,
    });
    if (authorityAddress === zeroAddress) return entries;
    entries.push({ digest, authorityAddress, revokedAt: Number(revokedAt), childDigest });
  }
}
