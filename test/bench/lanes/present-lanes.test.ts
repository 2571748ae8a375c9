import { expect, test } from 'vitest';
import type { Throughput } from './measure-throughput.ts';
import { laneTables } from './present-lanes.ts';

const tick = { store: 20, chain: 50, signer: 10, totalMs: 100, bound: 4, settled: 4 };

function run(shareOfCeiling: number, p95: number): Throughput {
  return {
    ...{ name: 'forwarder, memory, commits', operations: 3840, ceiling: 384, attestationsPerSecond: 96 },
    pace: {
      ...{ blocks: 10, transactionsPerBlock: 4, operationsPerBlock: 384 * shareOfCeiling, shareOfCeiling },
      ...{ gasPerBlock: 9_888_000.4, gasPerOperation: 25_751.5, extraBlocks: { p50: 0, p95 } },
    },
    ticks: [tick, { ...tick, bound: 0, settled: 0, totalMs: 5 }, tick],
  };
}

const uses = [{ publishers: 1, depth: 100, operations: 96, calls: 12, itemsRead: 288, itemsWritten: 192 }];

const fair = { crowdSize: 10_000, transactions: [1, 2, 1] };

test('says of each run whether it reaches its share of the ceiling and how long operations wait', () => {
  const [pace] = laneTables([run(1, 0), run(0.8, 3)], uses, fair);
  expect(pace?.rows).toEqual([
    ['forwarder, memory, commits', 3840, 10, 4, 384, 384, '100.0 %', 'yes', 96, 0, 0, 'yes'],
    ['forwarder, memory, commits', 3840, 10, 4, 307.2, 384, '80.0 %', '**no**', 96, 0, 3, '**no**'],
  ]);
});

test('names the part that ticks wait for most as the limit of a lane below its ceiling', () => {
  const [, ticks] = laneTables([run(1, 0), run(0.8, 3)], uses, fair);
  const common = ['forwarder, memory, commits', 2, 1, 100, 100, 20, 50, 10, 20, 9_888_000, 25_752];
  expect(ticks?.rows).toEqual([
    [...common, 'the ceiling'],
    [...common, 'chain'],
  ]);
});

test('shows what an operation costs the store', () => {
  const [, , depths] = laneTables([], uses, fair);
  expect(depths?.rows).toEqual([[1, 100, 12, 288, 192, 0.125, 3, 2]]);
});

test('judges fairness by the operation that waited longest', () => {
  const worstOf = (transactions: number[]) => laneTables([], uses, { ...fair, transactions }).at(-1)?.rows;
  expect(worstOf([1, 2, 1])).toEqual([[3, 1, 2, 'yes']]);
  expect(worstOf([1, 7, 1])).toEqual([[3, 1, 7, '**no**']]);
});
