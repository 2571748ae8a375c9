import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Fields, Key, Range, Records, Table } from '../../../../functions/domain/records.ts';

/** Each test has its own partitions, so that tests can share a store. */
let partitions = 0;
const runId = Date.now().toString(36);
const partition = (): string => `suite#${runId}#${partitions++}`;

const keyIn = (pk: string, sk: string, table: Table = 'attestations'): Key => ({ table, pk, sk });

/** Returns the store, an unused partition and a key in it. */
type Fresh = () => Promise<{ records: Records; pk: string; key: Key }>;

/** Tests what every `Records` must do. @param makeRecords returns the store under test, which need not be empty */
export function recordsSuite(name: string, makeRecords: () => Records): void {
  const fresh: Fresh = async () => {
    const pk = partition();
    return { records: makeRecords(), pk, key: keyIn(pk, 'a') };
  };
  describe(`records: ${name}`, () => {
    for (const tests of [reads, expectations, sets, transactions, ranges, indexes]) tests(fresh);
  });
}

async function stored(records: Records, key: Key, put: Fields): Promise<void> {
  await records.update({ key, put });
}

const bytesOf = (found: Fields | undefined): number[] => [...((found?.bytes ?? []) as Uint8Array)];

function reads(fresh: Fresh): void {
  test('returns what was put, including bytes, lists and nested records, but no fields that are undefined', async () => {
    const { records, key } = await fresh();
    const fields = {
      ...{ text: 'ä\u0000😀', count: 3, yes: true, none: null, list: [{ hash: '0x1' }, { hash: '0x2' }] },
      nested: { deep: { er: 1 } },
    };
    const bytes = Uint8Array.of(0, 255);
    await stored(records, key, {
      ...fields,
      bytes,
      gone: undefined,
      nested: { ...fields.nested, gone: undefined },
    });
    const found = await records.get(key);
    expect(found).toStrictEqual({ ...fields, bytes: expect.anything() });
    expect(bytesOf(found)).toEqual([0, 255]);
  });

  test('reads many keys of several tables in the requested order, including absent and repeated ones', async () => {
    const { records, pk, key } = await fresh();
    await stored(records, key, { value: 1 });
    await stored(records, keyIn(pk, 'b', 'lanes'), { value: 2 });
    const asked = [keyIn(pk, 'b', 'lanes'), keyIn(pk, 'x'), key, key];
    expect(await records.getAll(asked)).toEqual([{ value: 2 }, undefined, { value: 1 }, { value: 1 }]);
    expect(await records.getAll([])).toEqual([]);
  });

  test('reads more keys than one batch takes', async () => {
    const { records, pk } = await fresh();
    await stored(records, keyIn(pk, '149'), { value: 1 });
    const found = await records.getAll(Array.from({ length: 150 }, (_, n) => keyIn(pk, String(n))));
    expect(found.flatMap((fields, position) => (fields ? [position] : []))).toEqual([149]);
  });
}

function expectations(fresh: Fresh): void {
  test.each<[title: string, before: Fields | undefined, expected: Fields, holds: boolean]>([
    ['an equal value holds', { phase: 'queued' }, { phase: 'queued' }, true],
    ['another value does not hold', { phase: 'mined' }, { phase: 'queued' }, false],
    ['an absent field has no value', { other: 1 }, { phase: 'queued' }, false],
    ['an absent record has no value', undefined, { phase: 'queued' }, false],
    ['undefined holds for an absent field', { other: 1 }, { phase: undefined }, true],
    ['undefined holds for an absent record', undefined, { phase: undefined }, true],
    ['undefined does not hold for null', { phase: null }, { phase: undefined }, false],
    ['null equals null', { phase: null }, { phase: null }, true],
    ['null is not absent', { other: 1 }, { phase: null }, false],
    ['a list holds for a value in it', { phase: 'b' }, { phase: ['a', 'b'] }, true],
    ['a list does not hold for another value', { phase: 'c' }, { phase: ['a', 'b'] }, false],
    ['a number is not its text', { count: 1 }, { count: '1' }, false],
    ['all of several expectations must hold', { a: 1, b: 2 }, { a: 1, b: 3 }, false],
  ])('%s', async (_, before, expected, holds) => {
    const { records, key } = await fresh();
    if (before) await stored(records, key, before);
    const changed = await records.update({ key, expect: expected, set: { done: true } });
    expect(changed !== undefined).toBe(holds);
    expect(await records.get(key)).toEqual(holds ? { ...before, done: true } : before);
  });

  test('puts a record with `ifAbsent` only once, and sets nothing with `ifPresent` if there is no record', async () => {
    const { records, key } = await fresh();
    expect(await records.update({ key, set: { value: 0 }, ifPresent: true })).toBeUndefined();
    expect(await records.get(key)).toBeUndefined();
    expect(await records.update({ key, put: { value: 1 }, ifAbsent: true })).toEqual({ value: 1 });
    expect(await records.update({ key, put: { value: 2 }, ifAbsent: true })).toBeUndefined();
    expect(await records.get(key)).toEqual({ value: 1 });
  });

  test('removes a record only if it matches the expected fields', async () => {
    const { records, key } = await fresh();
    await stored(records, key, { kind: 'commit' });
    expect(await records.transact([{ key, remove: true, expect: { kind: 'reveal' } }])).toBe(false);
    expect(await records.transact([{ key, remove: true, expect: { kind: 'commit' } }])).toBe(true);
    expect(await records.get(key)).toBeUndefined();
    expect(await records.transact([{ key, remove: true, expect: { kind: 'commit' } }])).toBe(false);
  });
}

function sets(fresh: Fresh): void {
  test('sets some fields, removes those set to undefined, and returns the whole record; a put replaces it', async () => {
    const { records, key } = await fresh();
    await stored(records, key, { keep: 1, change: 1, drop: 1 });
    const after = await records.update({ key, set: { change: 2, drop: undefined, never: undefined } });
    expect(after).toStrictEqual({ keep: 1, change: 2 });
    expect(await records.get(key)).toStrictEqual({ keep: 1, change: 2 });
    await stored(records, key, { fresh: 1 });
    expect(await records.get(key)).toStrictEqual({ fresh: 1 });
  });

  test('adds to a number, or to 0 if there is none, together with a set and with expectations', async () => {
    const { records, key } = await fresh();
    expect(await records.update({ key, set: {}, add: { count: 2 } })).toStrictEqual({ count: 2 });
    const both = { key, set: { at: 1, gone: undefined }, add: { count: -3 } };
    expect(await records.update(both)).toStrictEqual({ count: -1, at: 1 });
    expect(await records.update({ ...both, expect: { at: 2 } })).toBeUndefined();
    expect(await records.transact([{ ...both, expect: { at: 1 } }])).toBe(true);
    expect(await records.get(key)).toStrictEqual({ count: -4, at: 1 });
  });

  test('adds every amount of concurrent updates', async () => {
    const { records, key } = await fresh();
    const add = () => records.update({ key, set: { kept: true }, add: { count: 1 } });
    await Promise.all(Array.from({ length: 8 }, add));
    expect(await records.get(key)).toEqual({ count: 8, kept: true });
  });
}

function transactions(fresh: Fresh): void {
  test('makes all changes of a transaction, in several tables, or none if one expectation does not hold', async () => {
    const { records, pk, key } = await fresh();
    await stored(records, key, { value: 1 });
    const keys = [keyIn(pk, 'new', 'lanes'), keyIn(pk, 'set', 'organizations'), key] as const;
    const transact = (expected: Fields) =>
      records.transact([
        { key: keys[0], put: { value: 2 }, ifAbsent: true },
        { key: keys[1], set: { value: 3 }, expect: expected },
        { key, remove: true },
      ]);
    expect(await transact({ version: 1 })).toBe(false);
    expect(await records.getAll(keys)).toEqual([undefined, undefined, { value: 1 }]);
    expect(await transact({})).toBe(true);
    expect(await records.getAll(keys)).toEqual([{ value: 2 }, { value: 3 }, undefined]);
  });

  test('lets exactly one of several concurrent transactions succeed', async () => {
    const { records, key } = await fresh();
    const put = (value: number) => records.transact([{ key, put: { value }, ifAbsent: true }]);
    const done = await Promise.all([1, 2, 3, 4, 5, 6].map(put));
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await records.get(key)).toEqual({ value: done.indexOf(true) + 1 });
  });

  test('takes 100 changes, and records of 350,000 bytes', async () => {
    const { records, pk } = await fresh();
    const many = Array.from({ length: 100 }, (_, n) => ({ key: keyIn(pk, String(n)), put: { n } }));
    expect(await records.transact(many)).toBe(true);
    const bytes = new Uint8Array(350_000).fill(7);
    const parts = ['x', 'y', 'z'].map((sk) => ({ key: keyIn(pk, sk), put: { bytes } }));
    expect(await records.transact(parts)).toBe(true);
    expect(bytesOf(await records.get(keyIn(pk, 'z')))).toHaveLength(350_000);
  });
}

function ranges(fresh: Fresh): void {
  const sortKeys = ['A#~', 'A#1', 'STATE', 'TX#000000000002', 'TX#000000000010', 'a', 'é', '😀', '\uffee'];

  async function fillPartition(): Promise<{ records: Records; pk: string }> {
    const { records, pk } = await fresh();
    for (const sk of sortKeys) await stored(records, keyIn(pk, sk, 'lanes'), { sk0: sk });
    await stored(records, keyIn(`${pk}x`, 'A#1', 'lanes'), { other: true });
    return { records, pk };
  }

  const inOrder = [...sortKeys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

  test.each<[description: string, range: Partial<Range>, found: readonly string[]]>([
    ['a partition in the byte order of its sort keys, and no other partition', { limit: 100 }, inOrder],
    [
      'from a sort key on, including it',
      { from: 'STATE', limit: 3 },
      ['STATE', 'TX#000000000002', 'TX#000000000010'],
    ],
    ['strictly below a sort key', { before: 'STATE', limit: 9 }, ['A#1', 'A#~']],
    ['the last record below a sort key', { before: 'STATE', limit: 1, descending: true }, ['A#~']],
    ['as many as requested', { limit: 2 }, inOrder.slice(0, 2)],
    ['as many as requested from the end', { limit: 2, descending: true }, inOrder.slice(-2).reverse()],
    [
      'as many as requested from the end down to a sort key',
      { from: 'a', limit: 2, descending: true },
      inOrder.slice(-2).reverse(),
    ],
    ['nothing below the first sort key', { before: 'A', limit: 9 }, []],
    ['nothing of another table', { table: 'attestations', limit: 9 }, []],
  ])('lists %s', async (_, range, found) => {
    const { records, pk } = await fillPartition();
    const listed = await records.list({ table: 'lanes', pk, ...range });
    expect(listed).toEqual(found.map((sk) => ({ key: keyIn(pk, sk, 'lanes'), fields: { sk0: sk } })));
  });

  test('lists a record once and in order after it was removed and put again, and lists no removed record', async () => {
    const { records, pk } = await fillPartition();
    const [, second = '', third = ''] = inOrder;
    for (const sk of [second, third]) await records.update({ key: keyIn(pk, sk, 'lanes'), remove: true });
    await stored(records, keyIn(pk, second, 'lanes'), { again: true });
    const found = await records.list({ table: 'lanes', pk, limit: 100 });
    expect(found.map(({ key }) => key.sk)).toEqual(inOrder.filter((sk) => sk !== third));
    expect(found[1]?.fields).toEqual({ again: true });
  });

  test('lists past the page limit of the store', async () => {
    const { records, pk } = await fresh();
    const bytes = new Uint8Array(300_000);
    for (const sk of ['1', '2', '3', '4', '5']) await stored(records, keyIn(pk, sk), { bytes });
    const found = await records.list({ table: 'attestations', pk, limit: 5 });
    expect(found.map(({ key }) => key.sk)).toEqual(['1', '2', '3', '4', '5']);
  });
}

/** Reads the index until it shows the expected count, because an index may lag. */
async function readInFlight(records: Records, organizationId: string, expected: number, limit = 50) {
  let count = await records.inFlight(organizationId, limit);
  for (let asked = 0; asked < 50 && count !== expected; asked++) {
    await pause(100);
    count = await records.inFlight(organizationId, limit);
  }
  return count;
}

function indexes(fresh: Fresh): void {
  test('lists only due records that are marked for `sweep`, oldest first, also after their time changed', async () => {
    const { records, pk } = await fresh();
    const at = (minute: number) => `1980-01-01T00:0${minute}:00.000Z`;
    const due = (limit: number) => records.due(at(5), limit);
    const namesOf = async (keys: Promise<Key[]>) => (await keys).map(({ sk }) => sk);
    for (const minute of [3, 1, 2, 6])
      await stored(records, keyIn(pk, `${minute}`), { sweep: 'due', checkAt: at(minute) });
    await stored(records, keyIn(pk, 'unmarked'), { checkAt: at(1) });
    await stored(records, keyIn(pk, 'settled'), { sweep: 'due', checkAt: at(1) });
    await records.update({ key: keyIn(pk, 'settled'), set: { sweep: undefined, checkAt: undefined } });
    expect(await due(9)).toEqual(['1', '2', '3'].map((sk) => keyIn(pk, sk)));
    expect(await namesOf(due(2))).toEqual(['1', '2']);
    await records.update({ key: keyIn(pk, '1'), set: { checkAt: at(4) } });
    await records.update({ key: keyIn(pk, '2'), remove: true });
    expect(await namesOf(due(3))).toEqual(['3', '1']);
    for (const sk of ['1', '3', '6']) await records.update({ key: keyIn(pk, sk), remove: true });
    expect(await due(3)).toEqual([]);
  });

  test('counts the attestations that an organization has in flight, up to the limit', async () => {
    const { records, pk } = await fresh();
    const other = partition();
    const begin = (sk: string, organizationId = pk) =>
      stored(records, keyIn(organizationId, sk), { inFlight: organizationId, status: 'pending' });
    await Promise.all(['1', '2', '3'].map((sk) => begin(sk)));
    await begin('1', other);
    await stored(records, keyIn(pk, '4'), { status: 'confirmed' });
    expect(await readInFlight(records, pk, 3)).toBe(3);
    expect(await readInFlight(records, pk, 2, 2)).toBe(2);
    await records.update({ key: keyIn(pk, '1'), set: { status: 'committed' } });
    await records.update({ key: keyIn(pk, '2'), set: { status: 'failed', inFlight: undefined } });
    await records.update({ key: keyIn(pk, '3'), remove: true });
    expect(await readInFlight(records, pk, 1)).toBe(1);
    expect(await readInFlight(records, other, 1)).toBe(1);
    expect(await records.inFlight(partition(), 50)).toBe(0);
  });
}
