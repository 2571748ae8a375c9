import type { Fields, Key, Stored, Table } from '../../../functions/domain/records.ts';
import { addUnits, type Units } from '../hops/consumed-units.ts';
import { itemBytes } from './item-size.ts';

/** Bytes that one unit writes, and that one unit reads consistently. DynamoDB's KB has 1,024 bytes. */
const writeUnitBytes = 1_024;
const readUnitBytes = 4_096;

/** Indexes of the attestations, by the attributes of their keys, the partition's first. */
const indexKeys = { due: ['sweep', 'checkAt'], inFlight: ['inFlight'] } as const;

type Index = keyof typeof indexKeys;

/** The records with one partition key, in a table or in an index of the attestations. */
export interface Partition {
  readonly table: Table | Index;
  readonly pk: string;
}

/** DynamoDB's charge for a partition. */
export interface PartitionUse extends Partition {
  readonly units: Units;
}

/** A record before and after an attempted write; the same where a condition refused it. */
export interface Written {
  readonly key: Key;
  readonly before: Fields | undefined;
  readonly after: Fields | undefined;
}

const unitsOf = (bytes: number, unitBytes: number): number => Math.max(1, Math.ceil(bytes / unitBytes));

const bytesOf = (key: Key, fields: Fields | undefined): number => (fields ? itemBytes(key, fields) : 0);

/**
 * Computes the charge of a write. The larger of before and after counts: for a deletion or a refusal, the record
 * before.
 *
 * @param factor 2 in a transaction, which prepares each write and then commits it. An index is written once even then.
 */
export function writeUses({ key, before, after }: Written, factor: 1 | 2): PartitionUse[] {
  const bytes = Math.max(bytesOf(key, before), bytesOf(key, after));
  const write = factor * unitsOf(bytes, writeUnitBytes);
  return [
    { table: key.table, pk: key.pk, units: { read: 0, write } },
    ...indexUses('due', { key, before, after }),
    ...indexUses('inFlight', { key, before, after }),
  ];
}

/** Where an entry's key changes, the index deletes it and puts another. */
function indexUses(index: Index, { key, before, after }: Written): PartitionUse[] {
  const [former, entry] = [indexEntry(index, key, before), indexEntry(index, key, after)];
  if (JSON.stringify(former) === JSON.stringify(entry)) return [];
  return [former, entry].flatMap((one) => {
    if (one === undefined) return [];
    const write = unitsOf(bytesOf(key, one), writeUnitBytes);
    return { table: index, pk: String(one[indexKeys[index][0]]), units: { read: 0, write } };
  });
}

/** The keys of a record as an index has them; nothing where it is not in it. */
function indexEntry(index: Index, { table }: Key, fields: Fields = {}): Fields | undefined {
  const entry = indexKeys[index].map((name) => [name, fields[name]] as const);
  const isIndexed = table === 'attestations' && entry.every(([, value]) => value !== undefined);
  return isIndexed ? Object.fromEntries(entry) : undefined;
}

/**
 * Computes the charge of one consistent read: of one record, absent ones too, or of all that a query finds together.
 */
export function readUse({ table, pk }: Partition, found: readonly Stored[]): PartitionUse {
  const bytes = found.reduce((sum, { key, fields }) => sum + itemBytes(key, fields), 0);
  return { table, pk, units: { read: unitsOf(bytes, readUnitBytes), write: 0 } };
}

/** Adds up the uses of each partition. */
export function usesByPartition(uses: readonly PartitionUse[]): PartitionUse[] {
  const groups = Map.groupBy(uses, ({ table, pk }) => JSON.stringify([table, pk]));
  return [...groups.values()].flatMap((group) =>
    group.slice(0, 1).map((first) => ({ ...first, units: addUnits(group.map(({ units }) => units)) })),
  );
}
