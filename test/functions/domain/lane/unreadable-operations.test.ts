import { expect, test } from 'vitest';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import { queueName } from '../../../../functions/domain/lane/lane.ts';
import { listOperations, queuePartition } from '../../../../functions/domain/lane/queue-records.ts';
import type { Fields, Key, Records } from '../../../../functions/domain/records.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { overriding } from '../../../fakes/ports/overriding.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import { attested, mineAndTick, stateOf } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

const logged = 'queued operation unreadable';

/** Puts a record in front of all that waits in the queue. */
async function putInFront({ records, queue }: World, put: Fields, name = 'x'): Promise<void> {
  const key: Key = { table: 'queue', pk: queuePartition(queueName(queue)), sk: `000000000000000#${name}` };
  await records.update({ key, put });
}

/** A world whose time passes while its store is read, so that a dispatch that starts over without end has one. */
function clocked(world: World): World {
  const records = overriding<Records>(world.records, {
    getAll: (keys) => {
      world.clock.advance(0.1);
      return world.records.getAll(keys);
    },
  });
  return { ...world, services: { ...world.services, records } };
}

test('a malformed operation fails nothing that is queued behind it, and is logged', async () => {
  const service = runService(undefined, { confirmations: 3 });
  const { world } = service;
  await putInFront(world, { kind: 'other' });
  const { attestation } = await service.post(alice, 'An article.');
  await service.queue.until(async () => false, 300);
  expect(await world.row(attestation)).toMatchObject({ status: 'confirmed', error: null });
  expect(world.log.messages('error')).toContain(logged);
});

test.each([{}, { forwarder: true }])(
  'an operation under a key that is not its own holds up no other: %j',
  async (route) => {
    const world = clocked(makeWorld(route));
    const { attestation: forged } = await world.create(alice, 'forged');
    const { organizationId, id, createdAt: queuedAt } = forged;
    await world.records.update({ key: attestationRow(forged), set: { commitPhase: 'queued' } });
    await putInFront(world, { organizationId, id, kind: 'commit', queuedAt });
    const { attestation: other } = await world.create(bob, 'other');
    await queueOperation(world.services, other, 'commit');
    await mineAndTick(world, 10);
    expect((await world.row(other)).commitPhase).toBe('final');
    expect((await world.row(forged)).commitPhase).toBe('queued');
    expect(world.log.messages('error')).toContain(logged);
  },
);

test('an operation that is queued twice, in two rounds, is sent once', async () => {
  const world = clocked(makeWorld({ forwarder: true }));
  const parent = await attested(world, alice, 'parent');
  const child = await attested(world, alice, 'child');
  await mineAndTick(world, 3);
  await linkChild(world.services, parent, child.id);
  const { organizationId, id } = parent;
  const [link] = await listOperations(world, world.queue, 1);
  await putInFront(world, { ...link, round: 0 }, `${organizationId}#${id}#link`);
  await mineAndTick(world, 10);
  expect((await world.row(parent)).linkPhase).toBe('final');
  expect(await listOperations(world, world.queue, 10)).toEqual([]);
  const { nextNonce, finalNonce } = await stateOf(world);
  expect(finalNonce).toBe(nextNonce);
});

test('a page of operations that are put off until another century is read once', async () => {
  const world = makeWorld();
  const later = '9999-01-01T00:00:00.000Z';
  const operation = { organizationId: 'a', id: 'x', kind: 'commit', queuedAt: later, retryAt: later };
  for (const name of ['m1', 'm2']) await putInFront(world, operation, name);
  expect(await listOperations(world, world.queue, 2, world.clock.now())).toEqual([]);
});
