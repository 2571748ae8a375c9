import { expect, test } from 'vitest';
import type { UnitsByKind } from './partition-kinds.ts';
import { partitionTables } from './present-partitions.ts';

const none = { read: 0, write: 0 };

const units: UnitsByKind = {
  organisation: { write: 30, read: 7 },
  content: { write: 4, read: 0 },
  lane: { write: 2.96, read: 2.2 },
  queue: { write: 8, read: 0.25 },
  round: { write: 2, read: 0.5 },
  signers: { write: 0, read: 2 },
  'sweep index': { write: 6, read: 0 },
  'in-flight index': { write: 2, read: 0 },
};

const tick: UnitsByKind = { ...units, signers: none, 'sweep index': none };

const asked = {
  ...{ name: 'forwarder', confirmations: 1, operations: 96 },
  ...{ life: units, commitTick: tick, revealTick: tick },
};

test('shows write and read units of an attestation by partition, and all together', () => {
  const [lives] = partitionTables([asked]);
  expect(lives?.rows).toEqual([
    [
      ...['forwarder', 1, '30 (7)', '4 (0)', '3 (2.2)', '8 (0.3)', '2 (0.5)'],
      ...['0 (2)', '6 (0)', '2 (0)', '55 (12)'],
    ],
  ]);
});

test('names as the limit whichever partition is full first, by writes or by reads', () => {
  const readALot = { ...units, signers: { write: 0, read: 100 } };
  const unread = { ...units, signers: none };
  const lives = [units, readALot, unread].map((life) => ({ ...asked, life }));
  const [, allowed] = partitionTables(lives);
  expect(allowed?.rows).toEqual([
    ['forwarder', 1, 337, 125, 1500, 166, 'queue', 33],
    ['forwarder', 1, 337, 125, 30, 166, 'signers', 33],
    ['forwarder', 1, 337, 125, 'any', 166, 'queue', 33],
  ]);
});

test('shows ticks where mined and final are one settlement', () => {
  const [, , ticks] = partitionTables([asked, { ...asked, confirmations: 12 }]);
  const cells = ['30 (7)', '4 (0)', '3 (2.2)', '8 (0.3)', '2 (0.5)', '0 (0)', '0 (0)', '2 (0)', '49 (10)'];
  expect(ticks?.rows).toEqual([
    ['forwarder', 96, 'commits', ...cells],
    ['forwarder', 96, 'reveals', ...cells],
  ]);
});

test('gives every column a name of its own, so that scripts can tell them apart', () => {
  for (const { columns } of partitionTables([asked])) expect(new Set(columns).size).toBe(columns.length);
});
