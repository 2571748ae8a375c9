import { expect, test } from 'vitest';
import {
  listOperations,
  putOperation,
  revealPlace,
  takeOperation,
} from '../../../../functions/domain/lane/queue-records.ts';
import { nextRound } from '../../../../functions/domain/lane/rounds.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { makeWorld, type World } from '../../../fakes/world/world.ts';

/** Queues operations of an organisation. */
async function queue(world: World, organizationId: string, count = 1, kept: object = {}): Promise<void> {
  for (let number = 0; number < count; number++) {
    const round = await nextRound(world.services, world.queue, organizationId);
    const [id, queuedAt] = [`${round}-${number}`, world.clock.now().toISOString()];
    const operation = { organizationId, id, kind: 'commit', round, queuedAt, ...kept } as const;
    await world.records.update(putOperation(world.queue, operation));
  }
}

/** The organisations of the queue in the order in which they are served. */
async function order(world: World): Promise<string> {
  const operations = await listOperations(world, world.queue, 1_000);
  return operations.map(({ organizationId }) => organizationId).join('');
}

/** An operation that is tried again in some minutes. */
const putOff = ({ clock }: World) => ({ retryAt: new Date(clock.now().getTime() + 200_000).toISOString() });

/** Takes the first operations that are due out of the queue. */
async function serve(world: World, count: number): Promise<void> {
  for (const operation of await listOperations(world, world.queue, count, world.clock.now()))
    await world.records.update(takeOperation(world.queue, operation));
}

test('an organisation has one operation in each round', async () => {
  const world = makeWorld();
  await queue(world, 'a', 4);
  await queue(world, 'b', 2);
  await queue(world, 'c');
  expect(await order(world)).toBe('abcabaa');
});

test('whoever comes late begins with the round that is being served', async () => {
  const world = makeWorld();
  await queue(world, 'a', 1_000);
  await serve(world, 400);
  await queue(world, 'b', 3);
  expect((await order(world)).slice(0, 8)).toBe('abababaa');
});

test('reveals that are due go first, and whoever comes late begins with the round that is being served', async () => {
  const world = makeWorld();
  await queue(world, 'a', 1_000);
  await serve(world, 400);
  world.clock.advance(10);
  const queuedAt = world.clock.now().toISOString();
  const place = revealPlace(queuedAt, '0xabcdef0123');
  for (const id of ['one', 'two'])
    await world.records.update(
      putOperation(world.queue, { organizationId: 'x', id, kind: 'reveal', place, queuedAt }),
    );
  await queue(world, 'b', 3);
  expect((await order(world)).slice(0, 10)).toBe('xxabababaa');
});

test('whoever had many earlier is not behind the others in a queue that was empty', async () => {
  const world = makeWorld();
  await queue(world, 'a', 1_000);
  await serve(world, 1_000);
  world.clock.advance(2);
  await queue(world, 'b', 100);
  await queue(world, 'a');
  expect((await order(world)).indexOf('a')).toBe(0);
});

test('an operation that is put off does not hold up the rounds', async () => {
  const world = makeWorld();
  await queue(world, 'a', 1, putOff(world));
  await queue(world, 'a', 400);
  await serve(world, 100);
  await queue(world, 'b', 3);
  expect((await order(world)).slice(0, 8)).toBe('aabababa');
});

test('several queued at once have a round each', async () => {
  for (let seed = 0; seed < 40; seed++) {
    const world = makeWorld();
    const rounds: number[] = [];
    const one = async (services: World['services']) => {
      rounds.push(await nextRound(services, world.queue, 'a'));
    };
    await interleave(world.services, seed, [one, one, one, one]);
    expect(new Set(rounds).size).toBe(4);
  }
});

test('while nothing is due, whoever had many earlier is not behind the others', async () => {
  const world = makeWorld();
  await queue(world, 'a', 1_000);
  await serve(world, 1_000);
  world.clock.advance(3 * 3_600);
  await queue(world, 'x', 1, putOff(world));
  world.clock.advance(60);
  await queue(world, 'b', 500);
  await queue(world, 'a');
  expect((await order(world)).indexOf('a')).toBeLessThan(3);
});

test('many operations that are put off give a late organisation no place before those that wait', async () => {
  const world = makeWorld();
  await queue(world, 'x', 20, putOff(world));
  await queue(world, 'a', 600);
  await serve(world, 400);
  await queue(world, 'b', 100);
  const due = await listOperations(world, world.queue, 1_000, world.clock.now());
  expect(
    due
      .slice(0, 4)
      .map(({ organizationId }) => organizationId)
      .join(''),
  ).toBe('abab');
});
