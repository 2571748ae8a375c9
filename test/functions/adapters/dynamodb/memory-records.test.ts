import { expect, test } from 'vitest';
import { MemoryRecords } from '../../../fakes/memory-records/memory-records.ts';
import { FakeClock } from '../../../fakes/ports/fake-clock.ts';
import { recordsSuite } from './records-suite.ts';

recordsSuite('in memory', () => new MemoryRecords());

const key = { table: 'lanes', pk: 'a', sk: 'b' } as const;

test('returned and stored values share no references', async () => {
  const records = new MemoryRecords();
  const list = [1];
  await records.update({ key, put: { list, changed: [1] } });
  list.push(2);
  const found = (await records.get(key)) as { list: number[] };
  found.list.push(3);
  const after = (await records.update({ key, set: { changed: [2] } })) as { list: number[] };
  after.list.push(4);
  expect(await records.get(key)).toEqual({ list: [1], changed: [2] });
});

test('a transaction that changes a record twice or has over 100 changes is refused, as by DynamoDB', async () => {
  const records = new MemoryRecords();
  const change = (sk: number) => ({ key: { table: 'lanes', pk: 'a', sk: String(sk) }, put: {} }) as const;
  await expect(records.transact([change(1), change(1)])).rejects.toThrow('twice');
  await expect(records.transact(Array.from({ length: 101 }, (_, n) => change(n)))).rejects.toThrow('101');
});

test('changes that DynamoDB cannot express are refused: no or over 100 expected values, or a field both set and added to', async () => {
  const records = new MemoryRecords();
  const expecting = (count: number) =>
    records.update({ key, set: { x: 1 }, expect: { x: Array.from({ length: count }, (_, n) => n) } });
  expect(await expecting(100)).toBeUndefined();
  await expect(expecting(101)).rejects.toThrow('101');
  await expect(expecting(0)).rejects.toThrow('0 values');
  await expect(records.update({ key, set: { x: 1 }, add: { x: 1 } })).rejects.toThrow('set a field and add');
});

const row = { table: 'attestations', pk: 'a', sk: '1' } as const;
const pending = { sweep: 'due', checkAt: '2026', inFlight: 'a' };
const finished = { sweep: undefined, checkAt: undefined, inFlight: undefined };

test('indexes show a change at once, or after the configured lag', async () => {
  const clock = new FakeClock('2026-01-01T00:00:00Z');
  const records = new MemoryRecords(clock.now);
  const indexCounts = async () => [(await records.due('2027', 9)).length, await records.inFlight('a', 9)];
  await records.update({ key: row, put: pending });
  expect(await indexCounts()).toEqual([1, 1]);
  records.indexes.lagSeconds = 30;
  await records.update({ key: row, set: finished });
  expect(await records.get(row)).toEqual({});
  clock.advance(29);
  expect(await indexCounts()).toEqual([1, 1]);
  clock.advance(1);
  expect(await indexCounts()).toEqual([0, 0]);
});

test('a conditional write that the SDK repeats takes effect but reports failure; a repeated transaction reports success', async () => {
  const records = new MemoryRecords();
  await records.update({ key: row, put: { run: 1 } });
  records.repeatsUpdate = () => true;
  expect(await records.update({ key: row, expect: { run: 1 }, set: { run: 2 } })).toBeUndefined();
  expect(await records.get(row)).toEqual({ run: 2 });
  expect(await records.update({ key: row, set: { run: 3 }, add: { times: 1 } })).toEqual({
    run: 3,
    times: 2,
  });
  expect(await records.transact([{ key: { ...row, sk: '2' }, put: {}, ifAbsent: true }])).toBe(true);
});
