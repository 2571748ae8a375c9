import { beforeEach, expect, test } from 'vitest';
import type { Change, Key } from '../../functions/domain/records.ts';
import { MemoryRecords } from '../fakes/memory-records/memory-records.ts';
import { alice } from '../fakes/world/world.ts';
import { meterWrites } from './units.ts';

const row: Key = { table: 'attestations', pk: alice.organizationId, sk: 'id' };
const queued: Key = { table: 'queue', pk: 'lane#queue', sk: 'id' };

/** Fields slightly smaller than this, so that the record has this size with its key. */
const ofKilobytes = (kilobytes: number) => ({ text: 'x'.repeat(1_024 * kilobytes - 100) });

let records: MemoryRecords;
let total: ReadonlyMap<string, number>;

beforeEach(() => {
  records = new MemoryRecords();
  total = meterWrites(records);
});

/** Writes one change, or several in a transaction. @returns the write units of each kind of partition */
async function written(...changes: Change[]): Promise<Record<string, number>> {
  const before = new Map(total);
  const [first] = changes;
  if (changes.length === 1 && first) await records.update(first);
  else await records.transact(changes);
  const units = [...total].map(([kind, sum]) => [kind, sum - (before.get(kind) ?? 0)] as const);
  return Object.fromEntries(units.filter(([, count]) => count > 0));
}

test('a write costs the larger size of before and after, and a rejected one the stored size', async () => {
  expect(await written({ key: row, put: { text: 'short' } })).toEqual({ organization: 1 });
  expect(await written({ key: row, put: ofKilobytes(3) })).toEqual({ organization: 3 });
  expect(await written({ key: row, put: ofKilobytes(5), ifAbsent: true })).toEqual({ organization: 3 });
  expect(await written({ key: row, remove: true })).toEqual({ organization: 3 });
});

test('a transaction costs twice its writes, for each partition', async () => {
  const changes = [
    { key: row, put: ofKilobytes(2) },
    { key: queued, put: {} },
  ];
  expect(await written(...changes)).toEqual({ organization: 4, queue: 2 });
});

test('an index costs one write to add or remove an entry and two to move it, also in a transaction', async () => {
  const put = { checkAt: '1', sweep: 'due', inFlight: 'organization' };
  const added = { 'sweep index': 1, 'in-flight index': 1 };
  expect(await written({ key: row, put }, { key: queued, put: {} })).toMatchObject(added);
  expect(await written({ key: row, set: { checkAt: '2' } })).toEqual({ organization: 1, 'sweep index': 2 });
  expect(await written({ key: row, set: { status: 'committed' } })).toEqual({ organization: 1 });
  expect(await written({ key: row, set: { sweep: undefined, inFlight: undefined } })).toMatchObject(added);
});
