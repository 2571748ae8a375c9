import { expect, test } from 'vitest';
import { FakeClock } from '../ports/fake-clock.ts';
import { MemoryRecords } from './memory-records.ts';

const key = { table: 'attestations', pk: 'a', sk: '1' } as const;
const pending = { sweep: 'due', checkAt: '2026', inFlight: 'a' };
const ended = { sweep: undefined, checkAt: undefined, inFlight: undefined };

async function look(records: MemoryRecords) {
  return [(await records.due('2027', 9)).length, await records.inFlight('a', 9)];
}

test('indexes show a change at once, or so many seconds after the table', async () => {
  const clock = new FakeClock('2026-01-01T00:00:00Z');
  const records = new MemoryRecords(clock.now);
  await records.update({ key, put: pending });
  expect(await look(records)).toEqual([1, 1]);
  records.indexes.lagSeconds = 30;
  await records.update({ key, set: ended });
  expect(await records.get(key)).toEqual({});
  clock.advance(29);
  expect(await look(records)).toEqual([1, 1]);
  clock.advance(1);
  expect(await look(records)).toEqual([0, 0]);
});

test('indexes show changes in the order in which they were made, though the lag ends', async () => {
  const clock = new FakeClock('2026-01-01T00:00:00Z');
  const records = new MemoryRecords(clock.now);
  records.indexes.lagSeconds = 30;
  await records.update({ key, put: pending });
  records.indexes.lagSeconds = 0;
  await records.update({ key, set: ended });
  expect(await look(records)).toEqual([0, 0]);
  clock.advance(30);
  expect(await look(records)).toEqual([0, 0]);
});

test('a single write that the SDK repeats holds, and answers as if it had not', async () => {
  const records = new MemoryRecords();
  await records.update({ key, put: { run: 1 } });
  records.repeatsUpdate = () => true;
  expect(await records.update({ key, expect: { run: 1 }, set: { run: 2 } })).toBeUndefined();
  expect(await records.get(key)).toEqual({ run: 2 });
  expect(await records.update({ key, set: { run: 3 }, add: { times: 1 } })).toEqual({ run: 3, times: 2 });
});

test('a transaction that the SDK repeats is known by its token', async () => {
  const records = new MemoryRecords();
  records.repeatsUpdate = () => true;
  expect(await records.transact([{ key, put: {}, ifAbsent: true }])).toBe(true);
});
