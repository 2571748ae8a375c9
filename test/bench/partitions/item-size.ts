import type { Fields, Key, Value } from '../../../functions/domain/records.ts';

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
