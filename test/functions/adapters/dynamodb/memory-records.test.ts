import { expect, test } from 'vitest';
import { MemoryRecords } from '../../../fakes/memory-records/memory-records.ts';
import { recordsSuite } from './records-suite.ts';

recordsSuite('in memory', () => new MemoryRecords());

test('nobody keeps a reference into the store', async () => {
  const records = new MemoryRecords();
  const key = { table: 'lanes', pk: 'a', sk: 'b' } as const;
  const list = [1];
  await records.update({ key, put: { list } });
  list.push(2);
  const found = (await records.get(key)) as { list: number[] };
  found.list.push(3);
  expect(await records.get(key)).toEqual({ list: [1] });
});

test('refuses what DynamoDB refuses: one record twice in a transaction, or over 100 changes', async () => {
  const records = new MemoryRecords();
  const change = (sk: number) => ({ key: { table: 'lanes', pk: 'a', sk: String(sk) }, put: {} }) as const;
  await expect(records.transact([change(1), change(1)])).rejects.toThrow('twice');
  await expect(records.transact(Array.from({ length: 101 }, (_, n) => change(n)))).rejects.toThrow('101');
});

test('refuses what DynamoDB has no expression for: none or over 100 expected values, a field both set and added to', async () => {
  const records = new MemoryRecords();
  const key = { table: 'lanes', pk: 'a', sk: 'b' } as const;
  const expecting = (count: number) =>
    records.update({ key, set: { x: 1 }, expect: { x: Array.from({ length: count }, (_, n) => n) } });
  expect(await expecting(100)).toBeUndefined();
  await expect(expecting(101)).rejects.toThrow('101');
  await expect(expecting(0)).rejects.toThrow('0 values');
  await expect(records.update({ key, set: { x: 1 }, add: { x: 1 } })).rejects.toThrow('set a field and add');
});

test('counts the calls that reach it and the records in them, and nothing that only looks on', async () => {
  const records = new MemoryRecords();
  const key = (sk: string) => ({ table: 'lanes', pk: 'a', sk }) as const;
  await records.transact([
    { key: key('1'), put: {} },
    { key: key('2'), put: {} },
  ]);
  await records.update({ key: key('3'), put: {}, ifAbsent: true });
  expect(records.writes).toMatchObject({ calls: 2, items: 3 });
  await records.get(key('absent'));
  await records.getAll([key('1'), key('2')]);
  await records.list({ table: 'lanes', pk: 'a', limit: 2 });
  await records.due('9999', 10);
  records.all();
  records.peek(key('1'));
  expect(records.reads).toMatchObject({ calls: 4, items: 5 });
  records.reads.reset();
  expect(records.reads).toMatchObject({ calls: 0, items: 0 });
});

test('what a change leaves alone is not the caller’s to change either', async () => {
  const records = new MemoryRecords();
  const key = { table: 'lanes', pk: 'a', sk: 'b' } as const;
  await records.update({ key, put: { kept: [1], changed: [1] } });
  const after = (await records.update({ key, set: { changed: [2] } })) as { kept: number[] };
  after.kept.push(3);
  expect(await records.get(key)).toEqual({ kept: [1], changed: [2] });
});
