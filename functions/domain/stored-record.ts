import { type Address, bytesToHex, type Hex, hexToBytes } from 'viem';
import * as z from 'zod';
import type { Fields, Value } from './records.ts';

/** A stored record does not match its form. The message contains no value, because values may be secret. */
export class RecordInvalidError extends Error {
  override readonly name = 'RecordInvalidError';
  constructor(kind: string, field: string) {
    super(`stored ${kind}: ${field} is missing or malformed`);
  }
}

type Forms = Readonly<Record<string, z.ZodType>>;

type ReadOnly<T> = T extends readonly (infer Item)[] ? readonly Item[] : T;

type Read<Required extends Forms, Optional extends Forms> = {
  readonly [N in keyof Required]: ReadOnly<z.output<Required[N]>>;
} & { readonly [N in keyof Optional]?: ReadOnly<z.output<Optional[N]>> };

/** Makes a record's form: a schema for each field, which also defines its type. Other fields are kept. */
export function formOf<Required extends Forms, Optional extends Forms = Record<never, never>>(
  required: Required,
  optional?: Optional,
): z.ZodType<Read<Required, Optional>, Fields> {
  const optionalEntries = Object.entries(optional ?? {}).map(([name, form]) => [name, form.optional()]);
  const all = { ...required, ...Object.fromEntries(optionalEntries) };
  return z.looseObject(all) as z.ZodType<Read<Required, Optional>, Fields>;
}

export function parseRecord<T>(kind: string, form: z.ZodType<T>, stored: Value | undefined): T {
  const parsed = form.safeParse(stored);
  if (parsed.success) return parsed.data;
  throw new RecordInvalidError(kind, parsed.error.issues[0]?.path.join('.') || 'all of it');
}

/** Parses a record. A malformed one is reported and `undefined`, so that it does not affect others. */
export function parseOrReport<T>(parse: () => T, report: (error: RecordInvalidError) => void): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof RecordInvalidError)) throw error;
    report(error);
    return undefined;
  }
}

export function parsedOrError<T>(parse: () => T) {
  let error: RecordInvalidError | undefined;
  const parsed = parseOrReport(parse, (invalid) => {
    error = invalid;
  });
  return { parsed, error };
}

export function storedFields<T>(form: z.ZodType<T, Fields>, record: T): Fields {
  return form.encode(record);
}

export const isMap = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);

export const map = z.custom<Fields>(isMap);

export const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const textLike = <T extends string>(pattern: RegExp) =>
  z.custom<T>((value) => typeof value === 'string' && pattern.test(value));

export const hex = textLike<Hex>(/^0x[\da-f]*$/i);

export const address = textLike<Address>(/^0x[\da-f]{40}$/i);

export const decimals = textLike(/^\d+$/);

/** Amount in wei, stored as decimal text: a number has only 53 bits. */
export const wei = z.codec(decimals, z.bigint(), { decode: BigInt, encode: String });

export const packedHex = z.codec(bytes, z.custom<Hex>(), {
  decode: (stored) => bytesToHex(stored),
  encode: (read) => hexToBytes(read),
});
