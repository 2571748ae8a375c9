import { expect, test } from 'vitest';
import { AlreadyAttestedError, OperationBoundError } from '../../../../functions/domain/errors.ts';
import { pauseLane } from '../../../../functions/domain/operator/lane-control.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { confirmStep } from '../../../../functions/domain/steps/confirm.ts';
import { failAttestation } from '../../../../functions/domain/steps/fail.ts';
import { overriding } from '../../../fakes/ports/overriding.ts';
import { committed, committing, reveal } from '../../../fakes/world/steps.ts';
import { alice, makeWorld, type World } from '../../../fakes/world/world.ts';

/** The authority attests the content itself, and that is final. */
function attestItself({ chain, mine }: World, { digest }: { digest: `0x${string}` }): void {
  chain.attest(alice.authorityAddress, digest);
  mine(chain.settings.confirmations);
}

test('a Reveal that comes when the attestation is confirmed reveals nothing', async () => {
  const world = makeWorld();
  const row = await committed(world, alice);
  attestItself(world, row);
  await confirmStep(world.services, row);
  await expect(reveal(world, row)).rejects.toThrow(AlreadyAttestedError);
  expect(await world.row(row)).not.toHaveProperty('revealPhase');
  expect(await world.owes()).toBe(false);
});

test('a Commit that comes when the attestation is confirmed commits nothing, whatever a provider shows', async () => {
  const world = makeWorld();
  const { attestation: row } = await world.create(alice, 'An article.');
  attestItself(world, row);
  await confirmStep(world.services, row);
  world.chain.lagBlocks = 2 * world.chain.settings.confirmations;
  const { organizationId, id } = row;
  const late = commitStep(world.services, { organizationId, id, taskToken: 'late' });
  await expect(late).rejects.toThrow(AlreadyAttestedError);
  expect(await world.row(row)).not.toHaveProperty('commitPhase');
  expect(await world.owes()).toBe(false);
});

test('a Confirm that comes when the attestation has failed waits for nothing', async () => {
  const world = makeWorld();
  const { attestation: row } = await world.create(alice, 'An article.');
  await failAttestation(world.services, row, 'some reason');
  await confirmStep(world.services, row);
  expect(await world.row(row)).toMatchObject({ status: 'failed', error: 'some reason' });
});

test('a Fail that read the attestation before it was confirmed leaves it so, though its commit waits', async () => {
  const world = makeWorld();
  await pauseLane(world.services, world.lane);
  const row = await committing(world, alice);
  const records = overriding<Records>(world.records, {
    transact: async (changes) => {
      attestItself(world, row);
      await confirmStep(world.services, row);
      return world.records.transact(changes);
    },
  });
  const failing = failAttestation({ ...world.services, records }, row, 'some reason');
  await expect(failing).rejects.toThrow(OperationBoundError);
  expect(await world.row(row)).toMatchObject({ status: 'confirmed', error: null });
});
