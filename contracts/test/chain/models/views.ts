import { type Address, type Hex, zeroAddress, zeroHash } from 'viem';
import type { RegistryModel } from '../../../../test/fakes/chain/registry-model.ts';
import { attestationRegistryAbi as abi } from '../../../artifacts/attestation-registry-abi.ts';
import type { TestChain } from '../chain.ts';
import type { CallValues } from './random-calls.ts';

/** A registry's delegates, indices by content and authority, and entries. */
export interface Views {
  readonly delegates: readonly Address[];
  readonly indices: readonly number[];
  readonly entries: readonly unknown[];
}

const authoritiesOf = ({ accounts, forwarderAddress }: CallValues): readonly Address[] => [
  ...accounts,
  forwarderAddress,
];

const keysOf = (values: CallValues): (readonly [Hex, Address])[] =>
  values.digests.flatMap((digest) => authoritiesOf(values).map((authority) => [digest, authority] as const));

/** All indices and one more, which has no entry. */
const indicesOf = (values: CallValues): number[] =>
  Array.from({ length: keysOf(values).length + 2 }, (_, index) => index);

/** The model's views. */
export function modelViews(registry: RegistryModel, values: CallValues): Views {
  return {
    delegates: authoritiesOf(values).map((item) => registry.registryState(zeroHash, item).delegateAddress),
    indices: keysOf(values).map((key) => registry.registryState(...key).attestationIndex),
    entries: indicesOf(values).map((index) => {
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
export async function contractViews({ client }: TestChain, values: CallValues, blockNumber: bigint) {
  const contract = { address: values.registryAddress, abi } as const;
  const index = { ...contract, functionName: 'cidAndAddressToAttestationIndices' } as const;
  const calls = {
    delegates: authoritiesOf(values).map(
      (item) => ({ ...contract, functionName: 'delegations', args: [item] }) as const,
    ),
    indices: keysOf(values).map((args) => ({ ...index, args })),
    entries: indicesOf(values).map(
      (item) => ({ ...contract, functionName: 'attestations', args: [BigInt(item)] }) as const,
    ),
  };
  const view = { deployless: true, allowFailure: false, batchSize: 0, blockNumber } as const;
  const [delegations, indices, entries] = await Promise.all([
    client.multicall({ ...view, contracts: calls.delegates }),
    client.multicall({ ...view, contracts: calls.indices }),
    client.multicall({ ...view, allowFailure: true, contracts: calls.entries }),
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
