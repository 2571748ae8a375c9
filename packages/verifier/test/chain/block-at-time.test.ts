import fc from 'fast-check';
import { keccak256, stringToHex } from 'viem';
import { expect, test } from 'vitest';
import type { Block } from '../../src/chain/block.ts';
import { findLastBlockAt } from '../../src/chain/block-at-time.ts';
import { Provider, ProviderFaultError } from '../../src/chain/provider.ts';

const never = new AbortController().signal;
const hash = keccak256(stringToHex('any block'));
const blockAt = (number: number, timestamp: number): Block => ({ number, hash, timestamp });

/** A provider whose blocks have these times, and the number of its requests. */
function providerOf(timeOf: (number: number) => number | undefined) {
  const count = { requests: 0 };
  const request = async ({ params }: { params: readonly unknown[] }) => {
    count.requests++;
    const timestamp = timeOf(Number(params[0]));
    if (timestamp === undefined) return null;
    return { number: params[0], hash, timestamp: `0x${timestamp.toString(16)}` };
  };
  return { provider: new Provider({ name: 'a node', request }, never, () => {}), count };
}

test('`findLastBlockAt` finds the last block that is not after the time', async () => {
  const steps = fc.array(fc.oneof(fc.constant(0), fc.nat(30), fc.nat(1_000_000)), {
    minLength: 1,
    maxLength: 300,
  });
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(400), fc.integer({ min: -1, max: 1 }), async (list, position, offset) => {
      const times = [1000];
      for (const step of list) times.push((times.at(-1) ?? 0) + step);
      const { provider } = providerOf((number) => times[number]);
      const newest = blockAt(times.length - 1, times.at(-1) ?? 0);
      const timestamp = (times[position % times.length] ?? 0) + offset;
      const block = await findLastBlockAt(provider, timestamp, newest);
      const last = times.findLastIndex((time) => time <= timestamp);
      // The search begins at block 1: no registry is in the genesis block.
      expect(block?.number).toBe(last < 1 ? undefined : last);
    }),
  );
});

test('`findLastBlockAt` needs few requests', async () => {
  const newest = 1_000_000_000;
  const even = providerOf((number) => 1_600_000_000 + 2 * number);
  const block = await findLastBlockAt(
    even.provider,
    1_600_000_000 + 2 * 123_456_789,
    blockAt(newest, 3_600_000_000),
  );
  expect([block?.number, even.count.requests <= 6]).toEqual([123_456_789, true]);
  // The first blocks took very long, so guesses only by time would progress slowly.
  const uneven = providerOf((number) => (number < 1000 ? number : 1_600_000_000 + number));
  const last = await findLastBlockAt(uneven.provider, 1_600_000_000 + 2000, blockAt(newest, 2_600_000_000));
  expect([last?.number, uneven.count.requests <= 60]).toEqual([2000, true]);
});

test('`findLastBlockAt` returns undefined if the provider lacks old blocks', async () => {
  const { provider } = providerOf((number) => (number > 1 && number < 90 ? undefined : number * 10));
  expect(await findLastBlockAt(provider, 300, blockAt(100, 1000))).toBeUndefined();
});

test('`findLastBlockAt` rejects a provider that returns other blocks', async () => {
  const request = async () => ({ number: '0x1', hash, timestamp: '0x1' });
  const provider = new Provider({ name: 'a node', request }, never, () => {});
  await expect(findLastBlockAt(provider, 300, blockAt(100, 1000))).rejects.toThrow(ProviderFaultError);
});
