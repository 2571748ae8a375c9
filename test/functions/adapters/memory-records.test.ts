import { expect, test } from 'vitest';
import { MemoryRecords } from '../../../functions/adapters/memory-records.ts';
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
