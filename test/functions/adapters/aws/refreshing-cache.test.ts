import type { SSMClient } from '@aws-sdk/client-ssm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refreshingCache } from '../../../../functions/adapters/aws/refreshing-cache.ts';
import { readRpcUrls } from '../../../../functions/adapters/aws/ssm-rpc-urls.ts';
import { readEnvironment, settingsFromEnvironment } from '../../../../functions/adapters/environment.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { makeWorld } from '../../../fakes/world/world.ts';
import { errorOf, logTextOf } from '../chain/providers.ts';

/** Makes a cache of a value that counts its reads, with a clock that the test moves. */
function countedValue(first: string | Error, initial?: string) {
  const world = { now: 0, value: first as string | Error, reads: 0, failures: [] as unknown[] };
  const read = async () => {
    world.reads++;
    if (world.value instanceof Error) throw world.value;
    return world.value;
  };
  const onFail = (error: unknown) => world.failures.push(error);
  const now = () => world.now;
  const value = refreshingCache({ read, onFail, now, ...(initial !== undefined && { initial }) });
  return { world, value };
}

test('a value is read once for concurrent uses, and again after 45 seconds', async () => {
  const { world, value } = countedValue('first');
  expect(await Promise.all([value.get(), value.get()])).toEqual(['first', 'first']);
  world.value = 'second';
  world.now = 44_999;
  expect([await value.get(), world.reads]).toEqual(['first', 1]);
  world.now = 45_000;
  expect([await value.get(), world.reads]).toEqual(['second', 2]);
});

test('a value that cannot be refreshed stays in use, and is read again every ten seconds', async () => {
  const { world, value } = countedValue('good');
  await value.get();
  world.value = new Error('unreadable');
  for (world.now = 45_000; world.now <= 65_000; world.now += 1_000) expect(await value.get()).toBe('good');
  expect(world.failures).toEqual(Array(3).fill(world.value));
  world.value = 'fixed';
  world.now = 75_000;
  expect(await value.get()).toBe('fixed');
});

test('the initial value is used when the first read fails; without an initial value, `get` fails', async () => {
  const { world, value } = countedValue(new Error('throttled'), 'deployed');
  expect(await value.get()).toBe('deployed');
  expect(world.failures).toHaveLength(1);
  const without = countedValue(new Error('throttled'));
  await expect(without.value.get()).rejects.toThrow('throttled');
  without.world.value = 'there';
  expect(await without.value.get()).toBe('there');
});

/** Makes a cache of a value that was read once, and whose next read hangs until the test ends it. */
async function hangingRead() {
  const world = { now: 0, started: 0, failures: 0, end: (_: string | Error) => {} };
  const read = (last: string | undefined) => {
    world.started++;
    if (last === undefined) return Promise.resolve('first');
    return new Promise<string>((resolve, reject) => {
      world.end = (result) => (result instanceof Error ? reject(result) : resolve(result));
    });
  };
  const value = refreshingCache({ read, onFail: () => world.failures++, now: () => world.now });
  await value.get();
  world.now = 45_000;
  return { world, value };
}

/** Checks that a use waits for one second. @returns its value */
async function expectAfterASecond(use: Promise<string>): Promise<string> {
  const onResult = vi.fn();
  use.then(onResult);
  await vi.advanceTimersByTimeAsync(999);
  expect(onResult).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  return use;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a read that hangs delays one use by a second, and later uses get the last value', async () => {
  const { world, value } = await hangingRead();
  expect(await expectAfterASecond(value.get())).toBe('first');
  world.now += 9_000;
  expect(await value.get()).toBe('first');
  expect([world.started, world.failures]).toEqual([2, 0]);
  world.end('second');
  expect(await value.get()).toBe('first');
  expect(await value.get()).toBe('second');
});

test('a read that a frozen process left unfinished starts again, and its late result is ignored', async () => {
  const { world, value } = await hangingRead();
  await expectAfterASecond(value.get());
  const { end: endGivenUp } = world;
  world.now += 30_000;
  const use = value.get();
  expect([world.started, world.failures]).toEqual([3, 1]);
  world.end('third');
  expect(await use).toBe('third');
  endGivenUp('second');
  await use;
  expect(await value.get()).toBe('third');
  expect(world.started).toBe(3);
});

test('a value marked as stale is read at its next use, but not twice within ten seconds', async () => {
  const { world, value } = countedValue('first');
  await value.get();
  world.value = 'second';
  world.now = 9_999;
  value.markStale();
  expect(await value.get()).toBe('first');
  world.now = 10_000;
  expect(await value.get()).toBe('second');
  world.value = 'third';
  world.now = 30_000;
  value.markStale();
  expect(await value.get()).toBe('third');
});

describe('the environment', () => {
  test('reports all missing variables at once', () => {
    const read = () =>
      readEnvironment({ SETTINGS: '{}', LANES_TABLE: '' }, ['SETTINGS', 'LANES_TABLE', 'SIGNING_KEY_ID']);
    expect(read).toThrow('not set: LANES_TABLE, SIGNING_KEY_ID');
  });

  test('contains the settings as JSON, and every invalid field is reported', () => {
    const { settings } = makeWorld();
    expect(settingsFromEnvironment({ SETTINGS: JSON.stringify(settings) })).toEqual(settings);
    const wrong = { ...settings, defaultChainId: 5, maxQueuedHours: -1 };
    expect(() => settingsFromEnvironment({ SETTINGS: JSON.stringify(wrong) })).toThrow('maxQueuedHours');
  });
});

describe('the RPC URLs', () => {
  const ssmWith = (value: string) =>
    ({ send: async () => ({ Parameter: { Value: value } }) }) as unknown as SSMClient;

  test('are read one per line, without the white space around them', async () => {
    const urls = await readRpcUrls(ssmWith('  https://a.example/k\r\n\nhttp://127.0.0.1:1\n'), '/p', 1);
    expect(urls).toEqual(['https://a.example/k', 'http://127.0.0.1:1']);
  });

  test.each(['', '  \n', 'rpc.example/v3/secret', 'https://a.example\nrpc.example/v3/secret'])(
    'make the chain unreachable when they are invalid, and no error quotes them: %j',
    async (value) => {
      const error = await errorOf(readRpcUrls(ssmWith(value), '/p', 1));
      expect(error).toBeInstanceOf(ChainUnreachableError);
      expect(logTextOf(error)).toContain('the SSM parameter /p/1');
      expect(logTextOf(error)).not.toContain('secret');
    },
  );
});
