import { beforeEach, expect, test } from 'vitest';
import { contentGuard } from '../../../functions/domain/attestation/attestation-records.ts';
import { contentPart } from '../../../functions/domain/attestation/content-records.ts';
import { laneName, queueName } from '../../../functions/domain/lane/lane.ts';
import { queuedOperation } from '../../../functions/domain/lane/queue-records.ts';
import { lastRoundRecord } from '../../../functions/domain/lane/rounds.ts';
import { signersRecord } from '../../../functions/domain/lane/signers.ts';
import type { Change, Fields, Key } from '../../../functions/domain/records.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
import { alice, forwarderAddress } from '../../fakes/world/world.ts';
import { kindOf } from './measure-partitions.ts';
import { type MeteredRecords, meteredRecords } from './metered-records.ts';
import { itemBytes } from './request-units.ts';

const key = (sk: string, pk = 'lane'): Key => ({ table: 'lanes', pk, sk });
const row: Key = { table: 'attestations', pk: 'organization', sk: 'id' };

/** Fields of nearly so many KB, so that the record with its key fits into as many. */
const ofKilobytes = (kilobytes: number) => ({ text: 'x'.repeat(1_024 * kilobytes - 100) });

const state = key('STATE');

/** Size of "pk", "lane", "sk" and "STATE". */
const keyBytes = 2 + 4 + 2 + 5;

/** Size of fields with names of one letter. */
const bytesOf = (fields: Fields): number => itemBytes(state, fields) - keyBytes - Object.keys(fields).length;

let metered: MeteredRecords;

beforeEach(() => {
  metered = meteredRecords(new MemoryRecords());
});

/** Makes a change alone, or several in a transaction. @returns the write units of each table or index */
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

test('charges a write by the larger of before and after, per KB begun, and a refused one by what is there', async () => {
  expect(await written({ key: key('a'), put: { text: 'short' } })).toEqual({ lanes: [1] });
  expect(await written({ key: key('a'), put: ofKilobytes(3) })).toEqual({ lanes: [3] });
  expect(await written({ key: key('a'), put: ofKilobytes(5), ifAbsent: true })).toEqual({ lanes: [3] });
  expect(await written({ key: key('a'), remove: true })).toEqual({ lanes: [3] });
  expect(await written({ key: key('a'), remove: true })).toEqual({ lanes: [1] });
});

test('charges twice for what a transaction writes, each partition with its own', async () => {
  await metered.records.transact([
    { key: key('a'), put: ofKilobytes(2) },
    { key: key('b', 'queue'), put: {} },
  ]);
  expect(metered.take()).toEqual([
    { table: 'lanes', pk: 'lane', units: { read: 0, write: 4 } },
    { table: 'lanes', pk: 'queue', units: { read: 0, write: 2 } },
  ]);
});

test('charges an index once for an entry that comes or goes, twice for one that moves, and never doubled', async () => {
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

test('charges a read by 4 KB begun, one of an absent record too, and a query for all that it finds', async () => {
  for (const sk of ['a', 'b', 'c']) await written({ key: key(sk), put: ofKilobytes(2) });
  await written({ key: key('large'), put: ofKilobytes(5) });
  await metered.records.get(key('large'));
  expect(readUnits()).toBe(2);
  await metered.records.getAll([key('large'), key('none'), key('large')]);
  expect(readUnits()).toBe(3);
  await metered.records.list({ table: 'lanes', pk: 'lane', limit: 3 });
  expect(readUnits()).toBe(2);
});

test('counts names and values of the key and of every field', () => {
  expect(itemBytes(state, {})).toBe(keyBytes);
  expect(itemBytes(state, { state: 'open' })).toBe(keyBytes + 5 + 4);
});

test('counts text in UTF-8 and bytes as they are', () => {
  expect(bytesOf({ a: 'Grüße' })).toBe(7);
  expect(bytesOf({ a: new Uint8Array(100) })).toBe(100);
});

test('counts a byte for every two digits that signify, one for the number, and one for a minus', () => {
  expect(bytesOf({ a: 0 })).toBe(1);
  expect(bytesOf({ a: 31337 })).toBe(4);
  expect(bytesOf({ a: -31337 })).toBe(5);
  expect(bytesOf({ a: 0.25 })).toBe(2);
  expect(bytesOf({ a: 15_000_000 })).toBe(2);
});

test('counts one byte for true, false and null, and nothing for what is absent', () => {
  expect(bytesOf({ a: true, b: null })).toBe(2);
  expect(itemBytes(state, { a: undefined })).toBe(keyBytes);
});

test('counts three bytes for a list or a map, and one for each element', () => {
  expect(bytesOf({ a: [], b: {} })).toBe(6);
  expect(bytesOf({ a: ['ab', 'c'] })).toBe(3 + (1 + 2) + (1 + 1));
  expect(bytesOf({ a: { kind: 'link', none: undefined } })).toBe(3 + 1 + 4 + 4);
  expect(bytesOf({ a: [{ kind: 'link' }] })).toBe(3 + 1 + (3 + 1 + 4 + 4));
});

test('knows every partition that an attestation goes through by its key', () => {
  const { organizationId } = alice;
  const queue = { chainId: 1, delegateAddress: forwarderAddress };
  const lane = laneName(1, forwarderAddress);
  const operation = { organizationId, id: 'id', kind: 'commit' } as const;
  const partitions = [
    { table: 'attestations', pk: organizationId },
    contentGuard(organizationId, 1, 'cid'),
    contentPart(organizationId, 'cid', 0),
    { table: 'lanes', pk: lane },
    queuedOperation(queueName(queue), operation),
    lastRoundRecord(queue, organizationId),
    signersRecord(1),
    { table: 'due', pk: 'due' },
    { table: 'inFlight', pk: organizationId },
  ] as const;
  expect(partitions.map((partition) => kindOf(partition, lane))).toEqual([
    ...['organization', 'content', 'content', 'lane', 'queue', 'round', 'signers'],
    ...['sweep index', 'in-flight index'],
  ]);
});
