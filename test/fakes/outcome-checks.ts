import { decodeFunctionData, type Hash } from 'viem';
import { expect } from 'vitest';
import { attestationRegistryAbi as abi } from '../../contracts/artifacts/attestation-registry-abi.ts';
import type { Attestation } from '../../functions/domain/attestation.ts';
import type { Fields } from '../../functions/domain/records.ts';
import { registryCall } from '../../functions/domain/registry-calls.ts';
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

/** The rule for every attestation there is, and for the lane. */
export async function checkRule({ chain, signer, records, row: rowOf }: World): Promise<void> {
  const keys = records.all().flatMap(({ key, fields }) => (fields.contentCid === undefined ? [] : [key]));
  const ours = chain.receipts().filter(({ sender }) => sender === signer.address);
  expect(ours.map(({ nonce }) => nonce)).toEqual(ours.map((_, nonce) => nonce));
  expect(keys.length).toBeGreaterThan(0);
  let confirmed = 0;
  for (const { pk, sk } of keys) {
    const row = await rowOf({ organizationId: pk, id: sk });
    const { attestationIndex } = await chain.registry.standing(row);
    if (row.status === 'confirmed') {
      confirmed++;
      expect(row.attestationIndex).toBe(attestationIndex);
    }
    expect(['confirmed', 'failed']).toContain(row.status);
    expect(row.status === 'failed').toBe(row.error !== null);
    const sent = (kind: 'commit' | 'reveal') => {
      const { data } = registryCall(row, kind);
      return ours.filter((receipt) => receipt.data === data && receipt.succeeded).length;
    };
    const expected = row.status === 'confirmed' ? [1, 1] : [sent('commit'), 0];
    expect([sent('commit'), sent('reveal')]).toEqual(expected);
    expect(sent('commit')).toBeLessThanOrEqual(1);
    checkLink(chain, row);
  }
  expect(chain.newest.registry.count).toBe(confirmed);
}

/** The last accepted wish stands, and the row shows its hash. */
function checkLink(chain: World['chain'], row: Attestation): void {
  if (row.childAttestationId === null) return;
  const { childDigest } = chain.newest.registry.entry(row.attestationIndex ?? 0);
  expect([row.linkPhase, childDigest]).toEqual(['final', row.childDigest]);
  const receipt = chain.receipts().find(({ hash }) => hash === row.childLinkTxHash);
  expect(receipt?.data).toBe(registryCall(row, 'link').data);
}
