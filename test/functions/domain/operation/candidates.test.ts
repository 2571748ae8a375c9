import { expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import type { Operation } from '../../../../functions/domain/lane/lane.ts';
import { listOperations } from '../../../../functions/domain/lane/queue-records.ts';
import { candidatesOf } from '../../../../functions/domain/operation/candidates.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { overriding } from '../../../fakes/ports/overriding.ts';
import { attested, mineAndTick, stateOf, tick } from '../../../fakes/world/steps.ts';
import { alice, makeWorld, type World } from '../../../fakes/world/world.ts';

const queued = (world: World) => listOperations(world, world.queue, 10);

/** The digest of the parent's child in the registry. */
const linked = ({ chain }: World, { attestationIndex }: Attestation) =>
  chain.state.entry(attestationIndex ?? 0).childDigest;

test('a link that is owed again by the time that the one before is taken out of the queue stays there', async () => {
  const world = makeWorld();
  const parent = await attested(world, alice, 'the old article');
  const { attestation: first } = await world.create(alice, 'the new article');
  world.clock.advance(1);
  const { attestation: second } = await world.create(alice, 'the newest article');
  await linkChild(world.services, parent, first.id);
  const listed = await queued(world);
  expect(listed).toHaveLength(1);
  await tick(world);
  await mineAndTick(world, world.chain.settings.confirmations);
  expect((await world.row(parent)).linkPhase).toBe('final');

  // A dispatch that listed the queue before all that, and is slow to go on.
  const records = overriding<Records>(world.records, {
    transact: async (changes) => {
      await linkChild(world.services, parent, second.id);
      return world.records.transact(changes);
    },
  });
  const services = { ...world.services, records };
  const { candidates } = await candidatesOf(services, await stateOf(world), world.queue, listed);
  expect(candidates).toEqual([]);
  expect(await queued(world)).toHaveLength(1);
  expect(world.log.messages('warn')).not.toContain('operation not owed any more');
  await mineAndTick(world, 5);
  expect(linked(world, parent)).toBe(second.digest);
});

test('an operation that its transaction frees while it is taken out of the queue stays there', async () => {
  const world = makeWorld();
  const { attestation } = await world.create(alice, 'An article.');
  await queueOperation(world.services, attestation, 'commit');
  const [listed] = (await queued(world)) as [Operation];
  const phase = (commitPhase: string) =>
    world.records.update({ key: attestationRow(attestation), set: { commitPhase } });
  // A dispatch that listed the queue before the commit was mined, and is slow to go on.
  await phase('mined');
  const records = overriding<Records>(world.records, {
    transact: async (changes) => {
      await phase('queued');
      return world.records.transact(changes);
    },
  });
  const services = { ...world.services, records };
  const { candidates } = await candidatesOf(services, await stateOf(world), world.queue, [listed]);
  expect(candidates).toEqual([]);
  expect(await queued(world)).toEqual([listed]);
});
