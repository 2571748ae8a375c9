import { expect, test } from 'vitest';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import { queueName } from '../../../../functions/domain/lane/lane.ts';
import {
  listOperations,
  putOperation,
  queuePartition,
  revealPlace,
  takeOperation,
} from '../../../../functions/domain/lane/queue-records.ts';
import { nextRound } from '../../../../functions/domain/lane/rounds.ts';
import type { Fields, Key } from '../../../../functions/domain/records.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import { mineAndTick, selfAttest, stateOf, withRecords } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

async function queue(world: World, organizationId: string, count = 1, extra: object = {}): Promise<void> {
  for (let number = 0; number < count; number++) {
    const round = await nextRound(world.services, world.queue, organizationId);
    const [id, queuedAt] = [`${round}-${number}`, world.clock.now().toISOString()];
    const operation = { organizationId, id, kind: 'commit', round, queuedAt, ...extra } as const;
    await world.records.update(putOperation(world.queue, operation));
  }
}

async function servedOrder(world: World): Promise<string> {
  const operations = await listOperations(world, world.queue, 1_000);
  return operations.map(({ organizationId }) => organizationId).join('');
}

/** Fields of an operation that is tried again in a few minutes. */
const retrying = ({ clock }: World) => ({ retryAt: new Date(clock.now().getTime() + 200_000).toISOString() });

async function takeDue(world: World, count: number): Promise<void> {
  for (const operation of await listOperations(world, world.queue, count, world.clock.now()))
    await world.records.update(takeOperation(world.queue, operation));
}

test('due reveals come first, and a new organization joins the current round', async () => {
  const world = makeWorld();
  await queue(world, 'a', 1_000);
  await takeDue(world, 400);
  world.clock.advance(10);
  const queuedAt = world.clock.now().toISOString();
  const place = revealPlace(queuedAt, '0xabcdef0123');
  for (const id of ['one', 'two'])
    await world.records.update(
      putOperation(world.queue, { organizationId: 'x', id, kind: 'reveal', place, queuedAt }),
    );
  await queue(world, 'b', 3);
  expect((await servedOrder(world)).slice(0, 10)).toBe('xxabababaa');
});

test('operations that are queued concurrently get a round each', async () => {
  for (let seed = 0; seed < 40; seed++) {
    const world = makeWorld();
    const rounds: number[] = [];
    const assign = async (services: World['services']) => {
      rounds.push(await nextRound(services, world.queue, 'a'));
    };
    await interleave(world.services, seed, [assign, assign, assign, assign]);
    expect(new Set(rounds).size).toBe(4);
  }
});

test('an organization with a former backlog is not behind one that queues while nothing is due', async () => {
  const world = makeWorld();
  await queue(world, 'a', 1_000);
  await takeDue(world, 1_000);
  world.clock.advance(3 * 3_600);
  await queue(world, 'x', 1, retrying(world));
  world.clock.advance(60);
  await queue(world, 'b', 500);
  await queue(world, 'a');
  expect((await servedOrder(world)).indexOf('a')).toBeLessThan(3);
});

test('many postponed operations do not put a late organization ahead of those that wait', async () => {
  const world = makeWorld();
  await queue(world, 'x', 20, retrying(world));
  await queue(world, 'a', 600);
  await takeDue(world, 400);
  await queue(world, 'b', 100);
  const due = await listOperations(world, world.queue, 1_000, world.clock.now());
  expect(
    due
      .slice(0, 4)
      .map(({ organizationId }) => organizationId)
      .join(''),
  ).toBe('abab');
});

const logged = 'queued operation unreadable';

/** Puts a record in front of all operations of the queue. */
async function putInFront({ records, queue }: World, put: Fields, name = 'x'): Promise<void> {
  const key: Key = { table: 'queue', pk: queuePartition(queueName(queue)), sk: `000000000000000#${name}` };
  await records.update({ key, put });
}

/** Makes reads of the store take time, so that a dispatch that starts over without end runs out of time. */
function withReadTime(world: World): World {
  const services = withRecords(world, {
    getAll: (keys) => {
      world.clock.advance(0.1);
      return world.records.getAll(keys);
    },
  });
  return { ...world, services };
}

test('a malformed operation does not fail those queued behind it, and is logged', async () => {
  const service = runService(undefined, { confirmations: 3 });
  const { world } = service;
  await putInFront(world, { kind: 'other' });
  const { attestation } = await service.post(alice, 'An article.');
  await service.queue.until(async () => false, 300);
  expect(await world.row(attestation)).toMatchObject({ status: 'confirmed', error: null });
  expect(world.log.messages('error')).toContain(logged);
});

test.each([{}, { forwarder: true }])(
  'an operation under a wrong key does not block others: %j',
  async (route) => {
    const world = withReadTime(makeWorld(route));
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

test('an operation queued twice, in two rounds, is sent once', async () => {
  const world = withReadTime(makeWorld({ forwarder: true }));
  const parent = await selfAttest(world, alice, 'parent');
  const child = await selfAttest(world, alice, 'child');
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

test('a page of operations postponed to another century is read once', async () => {
  const world = makeWorld();
  const later = '9999-01-01T00:00:00.000Z';
  const operation = { organizationId: 'a', id: 'x', kind: 'commit', queuedAt: later, retryAt: later };
  for (const name of ['m1', 'm2']) await putInFront(world, operation, name);
  expect(await listOperations(world, world.queue, 2, world.clock.now())).toEqual([]);
});
