import { expect, test } from 'vitest';
import type { Key } from '../../../functions/domain/records.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { countedRecords } from './counted-records.ts';

const key = (sk: string): Key => ({ table: 'lanes', pk: 'lane', sk });

test('counts round trips and the items that they carry', async () => {
  const { records, take } = countedRecords(new MemoryRecords());
  await records.transact([
    { key: key('a'), put: { at: 1 } },
    { key: key('b'), put: { at: 2 } },
  ]);
  await records.update({ key: key('c'), put: { at: 3 } });
  expect(take()).toEqual({ calls: 2, itemsRead: 0, itemsWritten: 3 });
  await records.get(key('a'));
  await records.getAll([key('a'), key('none')]);
  await records.list({ table: 'lanes', pk: 'lane', limit: 10 });
  expect(take()).toEqual({ calls: 3, itemsRead: 6, itemsWritten: 0 });
  await records.update({ key: { ...key('d'), table: 'attestations' }, put: { inFlight: 'organisation' } });
  take();
  expect(await records.inFlight('organisation', 10)).toBe(1);
  expect(take()).toEqual({ calls: 1, itemsRead: 1, itemsWritten: 0 });
});

test('answers as the store does, and counts anew once it is taken', async () => {
  const { records, take } = countedRecords(new MemoryRecords());
  await records.update({ key: key('a'), put: { at: 1 } });
  expect(await records.update({ key: key('a'), put: {}, ifAbsent: true })).toBeUndefined();
  expect(await records.get(key('a'))).toEqual({ at: 1 });
  take();
  expect(take()).toEqual({ calls: 0, itemsRead: 0, itemsWritten: 0 });
});
