import { expect, test, vi } from 'vitest';
import { cases, soakTimeout } from '../fakes/world/soak.ts';
import { liveAndReplay, liveSeed } from './life/seed.ts';
import { sumOf } from './life/tally.ts';

vi.setConfig({ testTimeout: soakTimeout });

const seeds = cases(10, 1000);

test(`${seeds} lives with all the trouble there is end by the rule`, async () => {
  const lives = [];
  for (let seed = 0; seed < seeds; seed++) lives.push(await liveAndReplay(seed));
  expect(lives.filter(({ failure }) => failure !== undefined)).toEqual([]);
  const { attestations = 0 } = sumOf(lives.map(({ tally }) => tally));
  expect(attestations).toBeGreaterThanOrEqual(20 * seeds);
});

test('a seed goes the same way every time, and another seed another way', async () => {
  const lines: string[] = [];
  const [life, again, other] = [
    await liveSeed(3, (line) => lines.push(line)),
    await liveSeed(3),
    await liveSeed(4),
  ];
  expect(lines.length).toBeGreaterThan(1000);
  expect(again).toEqual(life);
  expect(other.trace).not.toBe(life.trace);
});
