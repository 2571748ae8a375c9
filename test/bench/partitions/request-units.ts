import type { Fields, Key, Stored, Table, Value } from '../../../functions/domain/records.ts';

export interface Units {
  readonly read: number;
  readonly write: number;
}

/** Indexes of the attestations, by the attributes of their keys, the partition's first. */
const indexKeys = { due: ['sweep', 'checkAt'], inFlight: ['inFlight'] } as const;

type Index = keyof typeof indexKeys;

/** The charge for one partition, of a table or of an index of the attestations. */
export interface PartitionUse {
  readonly table: Table | Index;
  readonly pk: string;
  readonly units: Units;
}

/** A record before and after a write; the same where a condition refused it. */
export interface Written {
  readonly key: Key;
  readonly before: Fields | undefined;
  readonly after: Fields | undefined;
}

/** DynamoDB's KB has 1,024 bytes: a unit writes one, and reads four consistently. */
const writeUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 1_024));
const readUnits = (bytes: number): number => Math.max(1, Math.ceil(bytes / 4_096));

const bytesOf = (key: Key, fields: Fields | undefined): number => (fields ? itemBytes(key, fields) : 0);

/** Charges the larger of before and after. @param factor 2 in a transaction, which writes twice, but indexes once. */
export function writeUses(written: Written, factor: 1 | 2): PartitionUse[] {
  const { key, before, after } = written;
  const write = factor * writeUnits(Math.max(bytesOf(key, before), bytesOf(key, after)));
  return [
    { table: key.table, pk: key.pk, units: { read: 0, write } },
    ...indexUses('due', written),
    ...indexUses('inFlight', written),
  ];
}

/** Where an entry's key changes, the index deletes it and puts another. */
function indexUses(index: Index, { key, before, after }: Written): PartitionUse[] {
  const [former, entry] = [indexEntry(index, key, before), indexEntry(index, key, after)];
  if (JSON.stringify(former) === JSON.stringify(entry)) return [];
  return [former, entry].flatMap((one) => {
    if (one === undefined) return [];
    const write = writeUnits(itemBytes(key, one));
    return { table: index, pk: String(one[indexKeys[index][0]]), units: { read: 0, write } };
  });
}

/** The keys of a record as an index has them; nothing where it is not in it. */
function indexEntry(index: Index, { table }: Key, fields: Fields = {}): Fields | undefined {
  const entry = indexKeys[index].map((name) => [name, fields[name]] as const);
  const isIndexed = table === 'attestations' && entry.every(([, value]) => value !== undefined);
  return isIndexed ? Object.fromEntries(entry) : undefined;
}

/** Charges a consistent read of one record, an absent one too, or of all that a query finds together. */
export function readUse({ table, pk }: Pick<Key, 'table' | 'pk'>, found: readonly Stored[]): PartitionUse {
  const bytes = found.reduce((sum, { key, fields }) => sum + itemBytes(key, fields), 0);
  return { table, pk, units: { read: readUnits(bytes), write: 0 } };
}

/** Overhead of a list or a map, whatever is in it, and of each of its elements. */
const collectionBytes = 3;
const elementBytes = 1;

/**
 * Size of a record as DynamoDB counts it for request units: names and values, those of the key too.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export function itemBytes({ pk, sk }: Key, fields: Fields): number {
  return fieldsBytes({ ...fields, pk, sk });
}

function fieldsBytes(fields: Fields): number {
  return Object.entries(fields).reduce(
    (bytes, [name, value]) =>
      value === undefined ? bytes : bytes + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

function valueBytes(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return numberBytes(value);
  if (value instanceof Uint8Array) return value.length;
  if (value === null || typeof value === 'boolean') return 1;
  return collectionBytes + elementsBytes(value);
}

function elementsBytes(value: readonly Value[] | Fields): number {
  if (isList(value)) return value.reduce((bytes: number, one) => bytes + elementBytes + valueBytes(one), 0);
  const present = Object.values(value).filter((one) => one !== undefined);
  return present.length * elementBytes + fieldsBytes(value);
}

function isList(value: readonly Value[] | Fields): value is readonly Value[] {
  return Array.isArray(value);
}

/** A byte, one for every two significant digits, and one for a minus. */
function numberBytes(value: number): number {
  const digits = String(Math.abs(value)).replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
  return 1 + Math.ceil(digits.length / 2) + (value < 0 ? 1 : 0);
}
