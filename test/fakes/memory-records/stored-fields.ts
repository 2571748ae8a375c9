import type { Expectations, Fields, Value } from '../../../functions/domain/records.ts';

function copyValue(value: Value): Value {
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (Array.isArray(value)) return value.map(copyValue);
  return typeof value === 'object' && value !== null ? storedFields(value as Fields) : value;
}

/** Makes a deep copy as the store keeps it: without fields that are `undefined`. */
export function storedFields(fields: Fields): Fields {
  const entries = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, copyValue(value)] as const],
  );
  // Unlike an assignment, this keeps a field that is named "__proto__".
  return Object.fromEntries(entries);
}

/** Changes some of the fields. Unchanged values are shared, because a stored value never changes. */
export function changedFields(before: Fields, set: Fields): Fields {
  const after: { [name: string]: Value | undefined } = { ...before };
  for (const name of Object.keys(set)) delete after[name];
  return { ...after, ...storedFields(set) };
}

/** Adds each amount to its field, which counts as 0 when absent. */
export function addedFields(before: Fields, amounts: Readonly<Record<string, number>> = {}): Fields {
  const sums = Object.entries(amounts).map(([name, amount]) => [name, Number(before[name] ?? 0) + amount]);
  return { ...before, ...Object.fromEntries(sums) };
}

/** Maximum number of alternatives for a field in an expectation. DynamoDB's `IN` also refuses an empty list. */
const maxValues = 100;

/** Whether expectations hold for a record, or for its absence. @throws Error where DynamoDB refuses the expression */
export function allHold(before: Fields | undefined, expected: Expectations = {}): boolean {
  return Object.entries(expected).every(([name, value]) => {
    const values = Array.isArray(value) ? value.length : 1;
    if (values === 0 || values > maxValues) throw new Error(`one of ${values} values is expected of a field`);
    const actual = before?.[name];
    return Array.isArray(value) ? value.includes(actual) : actual === value;
  });
}

/** Computes the approximate size in bytes, as DynamoDB counts it. */
export function sizeOf(fields: Fields): number {
  let size = 0;
  for (const [name, value] of Object.entries(fields)) {
    const bytes = value instanceof Uint8Array ? value.length : Buffer.byteLength(JSON.stringify(value));
    size += name.length + bytes;
  }
  return size;
}
