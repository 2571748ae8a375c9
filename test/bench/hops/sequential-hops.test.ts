import { describe, expect, it } from 'vitest';
import { sequentialHops } from './sequential-hops.ts';

describe('sequentialHops', () => {
  const interval = (startedAtMs: number, endedAtMs: number) => ({ startedAtMs, endedAtMs });
  const [long, short, next, last] = [interval(0, 50), interval(1, 20), interval(21, 45), interval(50, 60)];

  it.each([
    ['no requests', [], 0],
    ['requests one after another', [interval(0, 10), interval(10, 20), interval(21, 30)], 3],
    ['overlapping requests', [interval(0, 10), interval(1, 9), interval(2, 12)], 1],
    ['two short requests beside a long one, and a request after them', [last, long, short, next], 3],
  ])('counts the hops of %s', (_, intervals, hops) => {
    expect(sequentialHops(intervals)).toBe(hops);
  });
});
