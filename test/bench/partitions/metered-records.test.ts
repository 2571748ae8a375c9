import { beforeEach, expect, test } from 'vitest';
import type { Key } from '../../../functions/domain/records.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { MeteredRecords } from './metered-records.ts';

const key = (sk: string, pk = 'lane'): Key => ({ table: 'lanes', pk, sk });
const row: Key = { table: 'attestations', pk: 'organisation', sk: 'id' };

/** Fields of nearly so many KB, so that the record with its key fits into as many. */
const ofKilobytes = (kilobytes: number) => ({ text: 'x'.repeat(1_024 * kilobytes - 100) });

let records: MeteredRecords;

beforeEach(() => {
  records = new MeteredRecords(new MemoryRecords());
});

const lane = (units: { read?: number; write?: number }) => [
  { table: 'lanes', pk: 'lane', units: { read: 0, write: 0, ...units } },
];

test('charges a write by the larger of before and after, per KB begun', async () => {
  await records.update({ key: key('a'), put: { text: 'short' } });
  expect(records.take()).toEqual(lane({ write: 1 }));
  await records.update({ key: key('a'), put: ofKilobytes(3) });
  expect(records.take()).toEqual(lane({ write: 3 }));
  await records.update({ key: key('a'), set: { text: 'short' } });
  expect(records.take()).toEqual(lane({ write: 3 }));
  await records.update({ key: key('a'), set: { text: 'shorter' } });
  expect(records.take()).toEqual(lane({ write: 1 }));
});

test('charges a deletion by what is deleted, and a refused write by what is there', async () => {
  await records.update({ key: key('a'), put: ofKilobytes(2) });
  records.take();
  expect(await records.update({ key: key('a'), put: ofKilobytes(5), ifAbsent: true })).toBeUndefined();
  expect(records.take()).toEqual(lane({ write: 2 }));
  await records.update({ key: key('a'), remove: true });
  expect(records.take()).toEqual(lane({ write: 2 }));
  await records.update({ key: key('a'), remove: true });
  expect(records.take()).toEqual(lane({ write: 1 }));
});

test('charges twice for what a transaction writes, each partition with its own', async () => {
  const changes = [
    { key: key('a'), put: ofKilobytes(2) },
    { key: key('b'), put: {} },
    { key: key('c', 'queue'), put: {} },
  ];
  await records.transact(changes);
  expect(records.take()).toEqual([
    ...lane({ write: 6 }),
    { table: 'lanes', pk: 'queue', units: { read: 0, write: 2 } },
  ]);
});

test('charges the index once for an entry that comes or goes, twice for one that moves, and never doubled', async () => {
  const indexed = async () => records.take().find(({ table }) => table === 'due')?.units.write;
  await records.transact([{ key: row, put: { checkAt: '1', sweep: 'due' } }]);
  expect(await indexed()).toBe(1);
  await records.update({ key: row, set: { checkAt: '2', sweep: 'due' } });
  expect(await indexed()).toBe(2);
  await records.transact([{ key: row, set: { status: 'committed' } }]);
  expect(await indexed()).toBeUndefined();
  await records.update({ key: row, set: { checkAt: undefined, sweep: undefined } });
  expect(await indexed()).toBe(1);
});

test('charges the other index once for an attestation that comes to be in flight, and once for one that ends', async () => {
  const indexed = async () => records.take().filter(({ table }) => table === 'inFlight');
  const entry = { table: 'inFlight', pk: 'organisation', units: { read: 0, write: 1 } };
  await records.transact([{ key: row, put: { inFlight: 'organisation', status: 'pending' } }]);
  expect(await indexed()).toEqual([entry]);
  await records.update({ key: row, set: { status: 'committed' } });
  expect(await indexed()).toEqual([]);
  await records.update({ key: row, set: { inFlight: undefined } });
  expect(await indexed()).toEqual([entry]);
});

test('charges a read by 4 KB begun, one of an absent record too', async () => {
  await records.update({ key: key('a'), put: ofKilobytes(5) });
  records.take();
  await records.get(key('a'));
  await records.get(key('none'));
  expect(records.take()).toEqual(lane({ read: 3 }));
  await records.getAll([key('a'), key('none'), key('a')]);
  expect(records.take()).toEqual(lane({ read: 3 }));
});

test('charges a query for all that it finds together', async () => {
  for (const sk of ['a', 'b', 'c']) await records.update({ key: key(sk), put: ofKilobytes(2) });
  records.take();
  await records.list({ table: 'lanes', pk: 'lane', limit: 10 });
  expect(records.take()).toEqual(lane({ read: 2 }));
  await records.list({ table: 'lanes', pk: 'none', limit: 10 });
  expect(records.take()).toEqual([{ table: 'lanes', pk: 'none', units: { read: 1, write: 0 } }]);
});

test('answers as the store does', async () => {
  await records.update({ key: row, put: { checkAt: '1', sweep: 'due' } });
  expect(await records.get(row)).toEqual({ checkAt: '1', sweep: 'due' });
  expect(await records.due('2', 10)).toEqual([row]);
  expect(await records.inFlight('organisation', 10)).toBe(0);
  expect(await records.transact([{ key: row, remove: true, expect: { sweep: 'never' } }])).toBe(false);
});
