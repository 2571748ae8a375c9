import { type Address, type Hex, zeroAddress, zeroHash } from 'viem';
import type { RegistryModel } from '../../../../test/fakes/chain/registry-model.ts';
import { attestationRegistryAbi as abi } from '../../../artifacts/attestation-registry-abi.ts';
import type { TestChain } from '../chain.ts';
import type { Cast } from './random-calls.ts';

/** A registry's delegates, indices by content and authority, and entries. */
export interface Views {
  readonly delegates: readonly Address[];
  readonly indices: readonly number[];
  readonly entries: readonly unknown[];
}

const authoritiesOf = ({ accounts, forwarderAddress }: Cast): readonly Address[] => [
  ...accounts,
  forwarderAddress,
];

const keysOf = (cast: Cast): (readonly [Hex, Address])[] =>
  cast.digests.flatMap((digest) => authoritiesOf(cast).map((authority) => [digest, authority] as const));

/** All indices and one more, which has no entry. */
const indicesOf = (cast: Cast): number[] =>
  Array.from({ length: keysOf(cast).length + 2 }, (_, index) => index);

/** The model's views. */
export function modelViews(registry: RegistryModel, cast: Cast): Views {
  return {
    delegates: authoritiesOf(cast).map((one) => registry.registryState(zeroHash, one).delegateAddress),
    indices: keysOf(cast).map((key) => registry.registryState(...key).attestationIndex),
    entries: indicesOf(cast).map((index) => {
      if (index > registry.count) return undefined;
      const {
        digest = zeroHash,
        quoteRoot = zeroHash,
        childDigest = zeroHash,
        ...rest
      } = registry.entry(index);
      const { authorityAddress = zeroAddress, timestamp, revokedAt } = rest;
      return [digest, quoteRoot, authorityAddress, timestamp, revokedAt, childDigest];
    }),
  };
}

/** The contract's views at the end of that block. */
export async function contractViews({ client }: TestChain, cast: Cast, blockNumber: bigint): Promise<Views> {
  const contract = { address: cast.registryAddress, abi } as const;
  const index = { ...contract, functionName: 'cidAndAddressToAttestationIndices' } as const;
  const asked = {
    delegates: authoritiesOf(cast).map(
      (one) => ({ ...contract, functionName: 'delegations', args: [one] }) as const,
    ),
    indices: keysOf(cast).map((args) => ({ ...index, args })),
    entries: indicesOf(cast).map(
      (one) => ({ ...contract, functionName: 'attestations', args: [BigInt(one)] }) as const,
    ),
  };
  const view = { deployless: true, allowFailure: false, batchSize: 0, blockNumber } as const;
  const [delegations, indices, entries] = await Promise.all([
    client.multicall({ ...view, contracts: asked.delegates }),
    client.multicall({ ...view, contracts: asked.indices }),
    client.multicall({ ...view, allowFailure: true, contracts: asked.entries }),
  ]);
  return {
    delegates: delegations.map(([delegate]) => delegate),
    indices: indices.map(Number),
    entries: entries.map(({ result }) => {
      if (result === undefined) return undefined;
      const [digest, quoteRoot, , authority, timestamp, revokedAt, child] = result;
      return [digest, quoteRoot, authority, Number(timestamp), Number(revokedAt), child];
    }),
  };
}
