import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Interval, sequentialHops } from './sequential-hops.ts';

const interval = (startedAtMs: number, endedAtMs: number): Interval => ({ startedAtMs, endedAtMs });

test('counts requests one after another, and overlapping ones once', () => {
  expect(sequentialHops([])).toBe(0);
  expect(sequentialHops([interval(0, 10), interval(10, 20), interval(21, 30)])).toBe(3);
  expect(sequentialHops([interval(0, 10), interval(1, 9), interval(2, 12)])).toBe(1);
});

test('counts two short ones beside a long one as two', () => {
  expect(sequentialHops([interval(0, 50), interval(1, 20), interval(21, 45), interval(50, 60)])).toBe(3);
});

/** Every subset, by brute force: the largest whose members do not overlap. */
function longestChain(intervals: readonly Interval[]): number {
  let longest = 0;
  for (let subset = 0; subset < 2 ** intervals.length; subset++) {
    const chosen = intervals.filter((_, at) => (subset >> at) & 1);
    const apart = chosen.every((a) =>
      chosen.every((b) => a === b || a.endedAtMs <= b.startedAtMs || b.endedAtMs <= a.startedAtMs),
    );
    if (apart) longest = Math.max(longest, chosen.length);
  }
  return longest;
}

test('is the longest chain there is, whatever the order of the requests', () => {
  const some = fc
    .tuple(fc.nat(30), fc.integer({ min: 1, max: 10 }))
    .map(([startedAtMs, tookMs]) => interval(startedAtMs, startedAtMs + tookMs));
  fc.assert(
    fc.property(fc.array(some, { maxLength: 8 }), (intervals) => {
      expect(sequentialHops(intervals)).toBe(longestChain(intervals));
    }),
  );
});
