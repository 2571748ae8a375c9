import type { Address, Hex } from 'viem';
import type { Fields, Value } from './records.ts';

/** Error of a stored record that does not fit its kind. Names kind and field, no value: a value may be a secret. */
export class RecordInvalidError extends Error {
  override readonly name = 'RecordInvalidError';
  constructor(kind: string, field: string) {
    super(`stored ${kind}: ${field} is missing or malformed`);
  }
}

type Guard<T> = (value: unknown) => value is T;

/** Literal types of a field; for `string` itself there is a guard. */
type LiteralOf<T> = T extends string
  ? string extends T
    ? never
    : T
  : T extends number
    ? number extends T
      ? never
      : T
    : Extract<T, boolean | null>;

type Alternative<T> = Guard<T> | LiteralOf<T>;

/** Check of a field: a guard, one literal, or several of these of which one must hold. */
type Check<T> = Alternative<T> | readonly Alternative<T>[];

type AnyAlternative = Guard<unknown> | string | number | boolean | null;
type AnyCheck = AnyAlternative | readonly AnyAlternative[];

type OptionalName<T> = { [N in keyof T]-?: object extends Pick<T, N> ? N : never }[keyof T];

/** Fields of a kind of record as the store keeps them. Fields that it does not name stay as they are. */
export interface RecordForm<T> {
  readonly kind: string;
  readonly required: { readonly [N in Exclude<keyof T, OptionalName<T>>]: Check<T[N]> };
  readonly optional: { readonly [N in OptionalName<T>]-?: Check<Exclude<T[N], undefined>> };
}

/** Returns the record with its type, when every field passes its check. @throws RecordInvalidError */
export function parseRecord<T>(form: RecordForm<T>, stored: Value | undefined): Fields & T {
  if (fits(form, stored)) return stored;
  throw new RecordInvalidError(form.kind, misfit(form, stored) ?? '');
}

/** Tells whether every field passes its check. */
export function fits<T>(form: RecordForm<T>, stored: unknown): stored is Fields & T {
  return misfit(form, stored) === undefined;
}

/** Names the first field that fails. A page of records is read at once: `for…in` makes no list for each. */
function misfit<T>({ required, optional }: RecordForm<T>, stored: unknown): string | undefined {
  if (!isMap(stored)) return 'all of it';
  const [needed, allowed]: readonly Record<string, AnyCheck>[] = [required, optional];
  for (const name in needed) if (!passes(needed[name], stored[name])) return name;
  for (const name in allowed)
    if (stored[name] !== undefined && !passes(allowed[name], stored[name])) return name;
  return undefined;
}

function passes(check: AnyCheck | undefined, value: unknown): boolean {
  if (typeof check === 'function') return check(value);
  return Array.isArray(check) ? check.some((one) => passes(one, value)) : check === value;
}

export const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !isList(value) && !isBytes(value);

export const isText = (value: unknown): value is string => typeof value === 'string';

export const isNumber = (value: unknown): value is number => typeof value === 'number';

export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';

export const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

export const isList = (value: unknown): value is readonly Value[] => Array.isArray(value);

/** Tells whether it is an amount in wei: a decimal text, for a number holds only 53 bits of one. */
export const isWei = (value: unknown): value is string => isText(value) && /^\d+$/.test(value);

export const isHex = (value: unknown): value is Hex => isText(value) && /^0x[\da-f]*$/i.test(value);

export const isAddress = (value: unknown): value is Address =>
  isText(value) && /^0x[\da-f]{40}$/i.test(value);
