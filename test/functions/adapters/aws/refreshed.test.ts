import { expect, test } from 'vitest';
import { refreshed } from '../../../../functions/adapters/aws/refreshed.ts';

/** A value that is stored and counted as it is read, with a clock that a test moves. */
function stored(first: string | Error, initial?: string) {
  const world = { now: 0, value: first as string | Error, reads: 0, failures: [] as unknown[] };
  const read = async () => {
    world.reads++;
    if (world.value instanceof Error) throw world.value;
    return world.value;
  };
  const failed = (error: unknown) => world.failures.push(error);
  const value = refreshed({ read, failed, now: () => world.now, ...(initial !== undefined && { initial }) });
  return { world, value };
}

test('is read once by all who ask at once, and again when it is 45 seconds old', async () => {
  const { world, value } = stored('first');
  expect(await Promise.all([value.get(), value.get()])).toEqual(['first', 'first']);
  world.value = 'second';
  world.now = 44_999;
  expect([await value.get(), world.reads]).toEqual(['first', 1]);
  world.now = 45_000;
  expect([await value.get(), world.reads]).toEqual(['second', 2]);
});

test('keeps the last good value while it cannot be read, says so, and tries again every ten seconds', async () => {
  const { world, value } = stored('good');
  await value.get();
  world.value = new Error('unreadable');
  for (world.now = 45_000; world.now <= 65_000; world.now += 1_000) expect(await value.get()).toBe('good');
  expect(world.failures).toEqual(Array(3).fill(world.value));
  world.value = 'mended';
  world.now = 75_000;
  expect(await value.get()).toBe('mended');
});

test('has its initial value in use when the first reading fails, and none without', async () => {
  const { world, value } = stored(new Error('throttled'), 'deployed');
  expect(await value.get()).toBe('deployed');
  expect(world.failures).toHaveLength(1);
  const without = stored(new Error('throttled'));
  await expect(without.value.get()).rejects.toThrow('throttled');
  without.world.value = 'there';
  expect(await without.value.get()).toBe('there');
});

test('is read at the next use when it is doubted, but not twice within ten seconds', async () => {
  const { world, value } = stored('first');
  await value.get();
  world.value = 'second';
  world.now = 9_999;
  value.doubt();
  expect(await value.get()).toBe('first');
  world.now = 10_000;
  expect(await value.get()).toBe('second');
  world.value = 'third';
  world.now = 30_000;
  value.doubt();
  expect(await value.get()).toBe('third');
});
