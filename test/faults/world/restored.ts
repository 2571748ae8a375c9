import { expect } from 'vitest';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { plenty } from '../../fakes/real/real-chain-start.ts';
import { registryRecords } from '../../fakes/real/real-evidence.ts';
import type { RealWorld } from '../../fakes/real/real-world.ts';
import { alice } from '../../fakes/world/world.ts';
import { laneOf, queued, type Served } from './served.ts';

/** Lets the tables be once more what they are now. @returns what does it */
async function backUp({ records }: RealWorld): Promise<() => Promise<void>> {
  const backup = await records.all();
  return async () => {
    for (const { key } of await records.all()) await records.update({ key, remove: true });
    for (const { key, fields } of backup) await records.update({ key, put: fields });
  };
}

export const moments = [
  'before its commit was bound',
  'while its commit was under way',
  'in its reveal delay',
] as const;

type Moment = (typeof moments)[number];

const isReached: Record<Moment, (world: RealWorld) => Promise<boolean>> = {
  'before its commit was bound': async (world) => (await queued(world)).length === 1,
  'while its commit was under way': async ({ chain }) => chain.mempool.nonces().length === 1,
  'in its reveal delay': async ({ chain }) => (await chain.receipts()).length === 1,
};

/** An attestation that lived to its end, and whose records are again as they were at a moment of its life. */
export async function restored(service: Served, moment: Moment): Promise<Attestation> {
  const { world, post, until, endsByRule } = service;
  const { chain, signer } = world;
  if (moment === 'before its commit was bound') await chain.setBalance(signer.address, 0n);
  const { attestation } = await post(alice, 'An article.');
  await until(() => isReached[moment](world));
  const restore = await backUp(world);
  await chain.setBalance(signer.address, plenty);
  await endsByRule();
  await restore();
  expect(await chain.receipts()).toHaveLength(2);
  return attestation;
}

/** The rule, as far as the lane can know; nothing is done twice. */
export async function checkDoneOnce(
  { world, untilIdle }: Served,
  attestations: readonly Attestation[],
): Promise<void> {
  expect(await untilIdle()).toBe(true);
  const rows = await Promise.all(attestations.map(world.row));
  const held = (await registryRecords(world)).map(({ attestationIndex, digest }) => [
    attestationIndex,
    digest,
  ]);
  expect(rows.map(({ status, attestationIndex, digest }) => [status, attestationIndex, digest])).toEqual(
    held.map((one) => ['confirmed', ...one]),
  );
  const receipts = await world.chain.receipts();
  expect(await laneOf(world)).toMatchObject({ nextNonce: receipts.length, finalNonce: receipts.length });
  expect(world.unstored).toEqual([]);
}
