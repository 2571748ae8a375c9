import { beforeEach, expect, test } from 'vitest';
import type { Change, Fields, Key } from '../../../functions/domain/records.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { type MeteredRecords, meteredRecords } from './metered-records.ts';
import { itemBytes } from './request-units.ts';

const key = (sk: string, pk = 'lane'): Key => ({ table: 'lanes', pk, sk });
const row: Key = { table: 'attestations', pk: 'organization', sk: 'id' };

/** Fields slightly smaller than that, so that the record with its key has that size. */
const ofKilobytes = (kilobytes: number) => ({ text: 'x'.repeat(1_024 * kilobytes - 100) });

const state = key('STATE');

/** Size of "pk", "lane", "sk" and "STATE". */
const keyBytes = 2 + 4 + 2 + 5;

let metered: MeteredRecords;

beforeEach(() => {
  metered = meteredRecords(new MemoryRecords());
});

/** Writes one change, or several in a transaction. @returns the write units of each table or index */
async function written(...changes: Change[]): Promise<Record<string, number[]>> {
  const [first] = changes;
  if (changes.length === 1 && first) await metered.records.update(first);
  else await metered.records.transact(changes);
  const byTable = Map.groupBy(metered.take(), ({ table }) => table);
  return Object.fromEntries(
    [...byTable].map(([table, uses]) => [table, uses.map(({ units }) => units.write)]),
  );
}

const readUnits = () => metered.take().reduce((sum, { units }) => sum + units.read, 0);

test('a write costs the larger size of before and after, and a rejected one the stored size', async () => {
  expect(await written({ key: key('a'), put: { text: 'short' } })).toEqual({ lanes: [1] });
  expect(await written({ key: key('a'), put: ofKilobytes(3) })).toEqual({ lanes: [3] });
  expect(await written({ key: key('a'), put: ofKilobytes(5), ifAbsent: true })).toEqual({ lanes: [3] });
  expect(await written({ key: key('a'), remove: true })).toEqual({ lanes: [3] });
  expect(await written({ key: key('a'), remove: true })).toEqual({ lanes: [1] });
});

test('a transaction costs twice its writes, for each partition', async () => {
  await metered.records.transact([
    { key: key('a'), put: ofKilobytes(2) },
    { key: key('b', 'queue'), put: {} },
  ]);
  expect(metered.take()).toEqual([
    { table: 'lanes', pk: 'lane', units: { read: 0, write: 4 } },
    { table: 'lanes', pk: 'queue', units: { read: 0, write: 2 } },
  ]);
});

test('an index costs one write to add or remove an entry and two to move it, also in a transaction', async () => {
  const other = { key: key('a'), put: {} };
  const put = { checkAt: '1', sweep: 'due', inFlight: 'organization' };
  expect(await written({ key: row, put }, other)).toMatchObject({ due: [1], inFlight: [1] });
  expect(await written({ key: row, set: { checkAt: '2' } })).toMatchObject({ due: [1, 1] });
  expect(await written({ key: row, set: { status: 'committed' } }, other)).toEqual({
    ...{ attestations: [2], lanes: [2] },
  });
  expect(await written({ key: row, set: { sweep: undefined, inFlight: undefined } })).toMatchObject({
    ...{ due: [1], inFlight: [1] },
  });
});

test('a read costs a unit per 4 KB, also of an absent record, and a query costs the sum of its results', async () => {
  for (const sk of ['a', 'b', 'c']) await written({ key: key(sk), put: ofKilobytes(2) });
  await written({ key: key('large'), put: ofKilobytes(5) });
  await metered.records.get(key('large'));
  expect(readUnits()).toBe(2);
  await metered.records.getAll([key('large'), key('none'), key('large')]);
  expect(readUnits()).toBe(3);
  await metered.records.list({ table: 'lanes', pk: 'lane', limit: 3 });
  expect(readUnits()).toBe(2);
});

test.each<[string, Fields, number]>([
  ['text in UTF-8', { a: 'Grüße' }, 7],
  ['bytes', { a: new Uint8Array(100) }, 100],
  ['one byte and one for two digits of a number', { a: 31337 }, 4],
  ['zero', { a: 0 }, 1],
  ['a minus', { a: -31337 }, 5],
  ['only significant digits', { a: 0.25, b: 15_000_000 }, 4],
  ['one byte for true, false and null', { a: true, b: null }, 2],
  ['three bytes for a list or a map', { a: [], b: {} }, 6],
  [
    'one byte for each element',
    { a: [{ kind: 'link' }], b: ['ab', 'c'] },
    3 + 1 + (3 + 1 + 4 + 4) + 3 + 3 + 2,
  ],
])('`itemBytes` counts %s', (_, fields, bytes) => {
  expect(itemBytes(state, fields)).toBe(keyBytes + Object.keys(fields).length + bytes);
  expect(itemBytes(state, { ...fields, none: undefined })).toBe(itemBytes(state, fields));
});
