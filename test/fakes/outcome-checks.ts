import { decodeFunctionData, type Hash } from 'viem';
import { expect } from 'vitest';
import { attestationRegistryAbi as abi } from '../../contracts/artifacts/attestation-registry-abi.ts';
import type { Attestation } from '../../functions/domain/attestation.ts';
import type { Fields } from '../../functions/domain/records.ts';
import type { World } from './world.ts';

function attemptsOf(fields: Fields): Hash[] {
  const attempts = fields.attempts as readonly { hash: Hash }[] | undefined;
  return (attempts ?? []).map(({ hash }) => hash);
}

/** Makes the chain fail the test when it is sent a transaction whose hash is not stored yet. */
export function watchSends({ chain, records }: World): void {
  chain.onSend = (hash) => {
    const stored = records.all().flatMap(({ fields }) => attemptsOf(fields));
    expect(stored).toContain(hash);
  };
}

/** The successful calls of the platform's key, by function name. */
export function minedCalls({ chain, signer }: World): string[] {
  return chain
    .receipts()
    .filter(({ sender, succeeded }) => sender === signer.address && succeeded)
    .map(({ data }) => decodeFunctionData({ abi, data }).functionName);
}

/** What must hold of every life, whatever went wrong on the way: the rule of the design's list of faults. */
export async function checkConfirmedOnce(world: World, key: Pick<Attestation, 'organizationId' | 'id'>) {
  const { chain, signer } = world;
  const row = await world.row(key);
  expect(row).toMatchObject({ status: 'confirmed', error: null });
  const standing = await chain.registry.standing(row);
  expect(row.attestationIndex).toBe(standing.attestationIndex);
  const { timestamp } = await chain.registry.entry(row.registryAddress, standing.attestationIndex);
  expect(row.confirmedAt).toBe(new Date(timestamp * 1000).toISOString());
  expect(minedCalls(world)).toEqual(['commit', 'reveal']);
  const hashes = chain.receipts().map(({ hash }) => hash);
  expect(hashes).toEqual([row.commitTxHash, row.revealTxHash]);
  const nonces = chain.receipts().map(({ sender, nonce }) => [sender, nonce]);
  expect(nonces).toEqual(nonces.map((_, nonce) => [signer.address, nonce]));
}
