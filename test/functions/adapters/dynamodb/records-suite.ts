import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Fields, Key, Records, Table } from '../../../../functions/domain/records.ts';

/** Each test has partitions of its own, so that a store kept between tests does no harm. */
let partitions = 0;
const runId = Date.now().toString(36);
const partition = (): string => `suite#${runId}#${partitions++}`;

const keyIn = (pk: string, sk: string, table: Table = 'attestations'): Key => ({ table, pk, sk });

/** What every `Records` must do. @param makeRecords gives the store under test; it need not be empty */
export function recordsSuite(name: string, makeRecords: () => Records | Promise<Records>): void {
  describe(`records: ${name}`, () => {
    reads(makeRecords);
    expectations(makeRecords);
    sets(makeRecords);
    transactions(makeRecords);
    ranges(makeRecords);
    dueOnes(makeRecords);
    inFlightOnes(makeRecords);
  });
}

type Make = () => Records | Promise<Records>;

async function stored(records: Records, key: Key, put: Fields): Promise<void> {
  await records.update({ key, put });
}

const bytesOf = (found: Fields | undefined): number[] => [...((found?.bytes ?? []) as Uint8Array)];

function reads(makeRecords: Make): void {
  test('returns what was put, bytes and lists and nested records included', async () => {
    const records = await makeRecords();
    const key = keyIn(partition(), 'a');
    const fields = {
      text: 'ä\u0000😀',
      count: 3,
      yes: true,
      none: null,
      list: [{ hash: '0x1' }, { hash: '0x2' }],
    };
    await stored(records, key, { ...fields, bytes: Uint8Array.of(0, 255), nested: { deep: { er: 1 } } });
    const found = await records.get(key);
    expect(found).toMatchObject({ ...fields, nested: { deep: { er: 1 } } });
    expect(bytesOf(found)).toEqual([0, 255]);
    expect(found).not.toHaveProperty('pk');
    expect(found).not.toHaveProperty('sk');
  });

  test('does not store a field whose value is undefined', async () => {
    const records = await makeRecords();
    const key = keyIn(partition(), 'a');
    await stored(records, key, { here: 1, gone: undefined, nested: { gone: undefined, here: 2 } });
    expect(await records.get(key)).toStrictEqual({ here: 1, nested: { here: 2 } });
  });

  test('reads many keys in the order asked, absent and repeated ones and several tables included', async () => {
    const records = await makeRecords();
    const pk = partition();
    await stored(records, keyIn(pk, 'a'), { value: 1 });
    await stored(records, keyIn(pk, 'b', 'lanes'), { value: 2 });
    const asked = [keyIn(pk, 'b', 'lanes'), keyIn(pk, 'x'), keyIn(pk, 'a'), keyIn(pk, 'a')];
    expect(await records.getAll(asked)).toEqual([{ value: 2 }, undefined, { value: 1 }, { value: 1 }]);
    expect(await records.getAll([])).toEqual([]);
  });

  test('reads more keys than one batch takes', async () => {
    const records = await makeRecords();
    const pk = partition();
    await stored(records, keyIn(pk, '149'), { value: 1 });
    const found = await records.getAll(Array.from({ length: 150 }, (_, n) => keyIn(pk, String(n))));
    expect(found.flatMap((fields, position) => (fields ? [position] : []))).toEqual([149]);
  });
}

function expectations(makeRecords: Make): void {
  test.each<[says: string, before: Fields | undefined, expected: Fields, holds: boolean]>([
    ['an equal value holds', { phase: 'queued' }, { phase: 'queued' }, true],
    ['another value does not', { phase: 'mined' }, { phase: 'queued' }, false],
    ['an absent field has no value', { other: 1 }, { phase: 'queued' }, false],
    ['an absent record has no value', undefined, { phase: 'queued' }, false],
    ['undefined holds for an absent field', { other: 1 }, { phase: undefined }, true],
    ['undefined holds for an absent record', undefined, { phase: undefined }, true],
    ['undefined does not hold for null', { phase: null }, { phase: undefined }, false],
    ['null equals null', { phase: null }, { phase: null }, true],
    ['null is not absent', { other: 1 }, { phase: null }, false],
    ['a list holds what it contains', { phase: 'b' }, { phase: ['a', 'b'] }, true],
    ['a list holds nothing else', { phase: 'c' }, { phase: ['a', 'b'] }, false],
    ['a number is not its text', { count: 1 }, { count: '1' }, false],
    ['all of several must hold', { a: 1, b: 2 }, { a: 1, b: 3 }, false],
  ])('%s', async (_, before, expected, holds) => {
    const records = await makeRecords();
    const key = keyIn(partition(), 'a');
    if (before) await stored(records, key, before);
    const changed = await records.update({ key, expect: expected, set: { done: true } });
    expect(changed !== undefined).toBe(holds);
    expect(await records.get(key)).toEqual(holds ? { ...before, done: true } : before);
  });

  test('puts once when the record must be absent', async () => {
    const records = await makeRecords();
    const key = keyIn(partition(), 'a');
    expect(await records.update({ key, put: { value: 1 }, ifAbsent: true })).toEqual({ value: 1 });
    expect(await records.update({ key, put: { value: 2 }, ifAbsent: true })).toBeUndefined();
    expect(await records.get(key)).toEqual({ value: 1 });
  });

  test('sets nothing when the record must be present and is not', async () => {
    const records = await makeRecords();
    const key = keyIn(partition(), 'a');
    expect(await records.update({ key, set: { value: 1 }, ifPresent: true })).toBeUndefined();
    expect(await records.get(key)).toBeUndefined();
  });

  test('removes on condition', async () => {
    const records = await makeRecords();
    const key = keyIn(partition(), 'a');
    await stored(records, key, { kind: 'commit' });
    expect(await records.transact([{ key, remove: true, expect: { kind: 'reveal' } }])).toBe(false);
    expect(await records.transact([{ key, remove: true, expect: { kind: 'commit' } }])).toBe(true);
    expect(await records.get(key)).toBeUndefined();
    expect(await records.transact([{ key, remove: true, expect: { kind: 'commit' } }])).toBe(false);
  });
}

function sets(makeRecords: Make): void {
  test('sets some fields, removes those set to undefined, and returns the whole record', async () => {
    const records = await makeRecords();
    const key = keyIn(partition(), 'a');
    await stored(records, key, { keep: 1, change: 1, drop: 1 });
    const after = await records.update({ key, set: { change: 2, drop: undefined, never: undefined } });
    expect(after).toStrictEqual({ keep: 1, change: 2 });
    expect(await records.get(key)).toStrictEqual({ keep: 1, change: 2 });
  });

  test('a put replaces the whole record', async () => {
    const records = await makeRecords();
    const key = keyIn(partition(), 'a');
    await stored(records, key, { old: 1 });
    await stored(records, key, { fresh: 1 });
    expect(await records.get(key)).toStrictEqual({ fresh: 1 });
  });

  test('adds to a number, from 0 when there is none, beside what it sets and on condition', async () => {
    const records = await makeRecords();
    const key = keyIn(partition(), 'a');
    expect(await records.update({ key, set: {}, add: { count: 2 } })).toStrictEqual({ count: 2 });
    const both = { key, set: { at: 1, gone: undefined }, add: { count: -3 } };
    expect(await records.update(both)).toStrictEqual({ count: -1, at: 1 });
    expect(await records.update({ ...both, expect: { at: 2 } })).toBeUndefined();
    expect(await records.transact([{ ...both, expect: { at: 1 } }])).toBe(true);
    expect(await records.get(key)).toStrictEqual({ count: -4, at: 1 });
  });

  test('adds every one of several at once', async () => {
    const records = await makeRecords();
    const key = keyIn(partition(), 'a');
    const add = () => records.update({ key, set: { kept: true }, add: { count: 1 } });
    await Promise.all(Array.from({ length: 8 }, add));
    expect(await records.get(key)).toEqual({ count: 8, kept: true });
  });
}

function transactions(makeRecords: Make): void {
  test('changes all of a transaction, over several tables', async () => {
    const records = await makeRecords();
    const pk = partition();
    await stored(records, keyIn(pk, 'gone'), { value: 1 });
    const done = await records.transact([
      { key: keyIn(pk, 'new', 'lanes'), put: { value: 2 }, ifAbsent: true },
      { key: keyIn(pk, 'set', 'organizations'), set: { value: 3 } },
      { key: keyIn(pk, 'gone'), remove: true },
    ]);
    expect(done).toBe(true);
    const keys = [keyIn(pk, 'new', 'lanes'), keyIn(pk, 'set', 'organizations'), keyIn(pk, 'gone')];
    expect(await records.getAll(keys)).toEqual([{ value: 2 }, { value: 3 }, undefined]);
  });

  test('changes nothing of a transaction when one expectation does not hold', async () => {
    const records = await makeRecords();
    const pk = partition();
    const done = await records.transact([
      { key: keyIn(pk, 'a'), put: { value: 1 } },
      { key: keyIn(pk, 'b'), set: { value: 1 }, expect: { version: 1 } },
    ]);
    expect(done).toBe(false);
    expect(await records.getAll([keyIn(pk, 'a'), keyIn(pk, 'b')])).toEqual([undefined, undefined]);
  });

  test('lets exactly one of several at once have it', async () => {
    const records = await makeRecords();
    const key = keyIn(partition(), 'a');
    const put = (value: number) => records.transact([{ key, put: { value }, ifAbsent: true }]);
    const done = await Promise.all([1, 2, 3, 4, 5, 6].map(put));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await records.get(key)).toEqual({ value: done.indexOf(true) + 1 });
  });

  test('takes 100 changes, and records of 350,000 bytes', async () => {
    const records = await makeRecords();
    const pk = partition();
    const many = Array.from({ length: 100 }, (_, n) => ({ key: keyIn(pk, String(n)), put: { n } }));
    expect(await records.transact(many)).toBe(true);
    const bytes = new Uint8Array(350_000).fill(7);
    const parts = ['x', 'y', 'z'].map((sk) => ({ key: keyIn(pk, sk), put: { bytes } }));
    expect(await records.transact(parts)).toBe(true);
    expect(bytesOf(await records.get(keyIn(pk, 'z')))).toHaveLength(350_000);
  });
}

function ranges(makeRecords: Make): void {
  const sortKeys = ['A#~', 'A#1', 'STATE', 'TX#000000000002', 'TX#000000000010', 'a', 'é', '😀', '\uffee'];

  async function filled(): Promise<{ records: Records; pk: string }> {
    const records = await makeRecords();
    const pk = partition();
    for (const sk of sortKeys) await stored(records, keyIn(pk, sk, 'lanes'), { sk0: sk });
    await stored(records, keyIn(`${pk}x`, 'A#1', 'lanes'), { other: true });
    return { records, pk };
  }

  const inOrder = [...sortKeys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

  test('lists a partition in the order of its bytes, and no other partition', async () => {
    const { records, pk } = await filled();
    const found = await records.list({ table: 'lanes', pk, limit: 100 });
    expect(found.map(({ key }) => key.sk)).toEqual(inOrder);
    expect(found.map(({ fields }) => fields.sk0)).toEqual(inOrder);
    expect(found[0]?.key).toEqual(keyIn(pk, inOrder[0] ?? '', 'lanes'));
  });

  test('lists from a sort key on, itself included', async () => {
    const { records, pk } = await filled();
    const found = await records.list({ table: 'lanes', pk, from: 'STATE', limit: 3 });
    expect(found.map(({ key }) => key.sk)).toEqual(['STATE', 'TX#000000000002', 'TX#000000000010']);
  });

  test('lists strictly below a sort key, newest first when descending', async () => {
    const { records, pk } = await filled();
    const range = { table: 'lanes', pk, before: 'STATE' } as const;
    const up = await records.list({ ...range, limit: 9 });
    expect(up.map(({ key }) => key.sk)).toEqual(['A#1', 'A#~']);
    const down = await records.list({ ...range, limit: 1, descending: true });
    expect(down.map(({ key }) => key.sk)).toEqual(['A#~']);
  });

  test('lists as many as asked, from either end', async () => {
    const { records, pk } = await filled();
    const range = { table: 'lanes', pk } as const;
    const first = await records.list({ ...range, limit: 2 });
    expect(first.map(({ key }) => key.sk)).toEqual(inOrder.slice(0, 2));
    const last = await records.list({ ...range, limit: 2, descending: true });
    expect(last.map(({ key }) => key.sk)).toEqual(inOrder.slice(-2).reverse());
    const down = await records.list({ ...range, from: 'a', limit: 2, descending: true });
    expect(down.map(({ key }) => key.sk)).toEqual(inOrder.slice(-2).reverse());
  });

  test('lists nothing of a partition that has nothing there', async () => {
    const { records, pk } = await filled();
    expect(await records.list({ table: 'lanes', pk: `${pk}y`, limit: 9 })).toEqual([]);
    expect(await records.list({ table: 'lanes', pk, before: 'A', limit: 9 })).toEqual([]);
    expect(await records.list({ table: 'attestations', pk, limit: 9 })).toEqual([]);
  });

  test('lists what was removed and put again once, in its place, and what was only removed not at all', async () => {
    const { records, pk } = await filled();
    const [, second = '', third = ''] = inOrder;
    for (const sk of [second, third]) await records.update({ key: keyIn(pk, sk, 'lanes'), remove: true });
    await stored(records, keyIn(pk, second, 'lanes'), { again: true });
    const found = await records.list({ table: 'lanes', pk, limit: 100 });
    expect(found.map(({ key }) => key.sk)).toEqual(inOrder.filter((sk) => sk !== third));
    expect(found[1]?.fields).toEqual({ again: true });
  });

  test('lists past the page limit of the store', async () => {
    const records = await makeRecords();
    const pk = partition();
    const bytes = new Uint8Array(300_000);
    for (const sk of ['1', '2', '3', '4', '5']) await stored(records, keyIn(pk, sk), { bytes });
    const found = await records.list({ table: 'attestations', pk, limit: 5 });
    expect(found.map(({ key }) => key.sk)).toEqual(['1', '2', '3', '4', '5']);
  });
}

function dueOnes(makeRecords: Make): void {
  test('finds what is due, oldest first, and neither later nor unmarked ones', async () => {
    const records = await makeRecords();
    const pk = partition();
    const at = (minute: number) => `1990-01-01T00:0${minute}:00.000Z`;
    await stored(records, keyIn(pk, 'second'), { sweep: 'due', checkAt: at(2) });
    await stored(records, keyIn(pk, 'first'), { sweep: 'due', checkAt: at(1) });
    await stored(records, keyIn(pk, 'later'), { sweep: 'due', checkAt: at(4) });
    await stored(records, keyIn(pk, 'unmarked'), { checkAt: at(1) });
    await stored(records, keyIn(pk, 'settled'), { sweep: 'due', checkAt: at(1) });
    await records.update({ key: keyIn(pk, 'settled'), set: { sweep: undefined, checkAt: undefined } });
    const due = await records.due(at(3), 50);
    expect(due.filter((key) => key.pk === pk).map(({ sk }) => sk)).toEqual(['first', 'second']);
    expect(due.every(({ table }) => table === 'attestations')).toBe(true);
    for (const sk of ['first', 'second', 'later']) {
      await records.update({ key: keyIn(pk, sk), set: { sweep: undefined, checkAt: undefined } });
    }
  });

  test('finds the oldest first when there are more than asked, and each where it was moved to', async () => {
    const records = await makeRecords();
    const pk = partition();
    const at = (minute: number) => `1980-01-01T00:0${minute}:00.000Z`;
    const due = async (limit: number) => (await records.due(at(5), limit)).map(({ sk }) => sk);
    for (const minute of [3, 1, 2]) {
      await stored(records, keyIn(pk, `${minute}`), { sweep: 'due', checkAt: at(minute) });
    }
    expect(await due(2)).toEqual(['1', '2']);
    await records.update({ key: keyIn(pk, '1'), set: { checkAt: at(4) } });
    await records.update({ key: keyIn(pk, '2'), remove: true });
    expect(await due(3)).toEqual(['3', '1']);
    for (const sk of ['1', '3']) await records.update({ key: keyIn(pk, sk), remove: true });
    expect(await due(3)).toEqual([]);
  });
}

/** An index may lag: asked until it says what is awaited. */
async function inFlightOf(records: Records, organizationId: string, awaited: number, limit = 50) {
  let count = await records.inFlight(organizationId, limit);
  for (let asked = 0; asked < 50 && count !== awaited; asked++) {
    await pause(100);
    count = await records.inFlight(organizationId, limit);
  }
  return count;
}

function inFlightOnes(makeRecords: Make): void {
  test('counts what an organization has in flight, up to the limit, and nothing that ended', async () => {
    const records = await makeRecords();
    const [pk, other] = [partition(), partition()];
    const begin = (sk: string, organizationId = pk) =>
      stored(records, keyIn(organizationId, sk), { inFlight: organizationId, status: 'pending' });
    await Promise.all(['1', '2', '3'].map((sk) => begin(sk)));
    await begin('1', other);
    await stored(records, keyIn(pk, '4'), { status: 'confirmed' });
    expect(await inFlightOf(records, pk, 3)).toBe(3);
    expect(await inFlightOf(records, pk, 2, 2)).toBe(2);
    await records.update({ key: keyIn(pk, '1'), set: { status: 'committed' } });
    await records.update({ key: keyIn(pk, '2'), set: { status: 'failed', inFlight: undefined } });
    await records.update({ key: keyIn(pk, '3'), remove: true });
    expect(await inFlightOf(records, pk, 1)).toBe(1);
    expect(await inFlightOf(records, other, 1)).toBe(1);
    expect(await records.inFlight(partition(), 50)).toBe(0);
  });
}
