import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '../../src/verifier.ts';

/** A file of `test/vectors/proofs`, possibly changed, and the expected outcome. */
export interface ProofCase {
  readonly name: string;
  readonly file: string;
  /** `null`: without a text. */
  readonly text: string | null;
  readonly blockHash: string;
  /** `invalid`: the parser rejects the file. */
  readonly outcome: Outcome | 'invalid';
  /** New values by JSON pointer; `null` removes a field. */
  readonly replace?: Readonly<Record<string, unknown>>;
}

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../test/vectors/proofs/${name}`, import.meta.url)), 'utf8');

export const cases: readonly ProofCase[] = JSON.parse(read('cases.json'));

export function replaceAt(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.with(Number(key), replaceAt(value[Number(key)], rest, by));
  const fields: Record<string, unknown> = { ...(value as object) };
  if (rest.length === 0 && by === null) delete fields[key];
  else fields[key] = replaceAt(fields[key], rest, by);
  return fields;
}

const files = new Map<string, unknown>();

function readContent(file: string): unknown {
  const content: unknown = files.get(file) ?? JSON.parse(read(file));
  files.set(file, content);
  return content;
}

export function fileOf({ file, replace = {} }: Pick<ProofCase, 'file' | 'replace'>): string {
  let content = readContent(file);
  for (const [pointer, by] of Object.entries(replace))
    content = replaceAt(content, pointer.split('/').slice(1), by);
  return JSON.stringify(content);
}

/** Changes one hexadecimal digit, counted from the first after 0x. */
const withDigit = (hex: string, index: number) => {
  const digit = Number.parseInt(hex[index + 2] ?? '0', 16) ^ 1;
  return hex.slice(0, index + 2) + digit.toString(16) + hex.slice(index + 3);
};

/** Returns copies of a value with one change each: at about sixteen digits of a long value, or at every byte. */
function otherValues(value: unknown, everyByte: boolean): unknown[] {
  if (typeof value === 'number') return [value + 1, value - 1, 0];
  if (typeof value !== 'string') return [];
  if (!value.startsWith('0x'))
    return [`${value}x`, value.replace(/[0-9]/, (digit) => String((Number(digit) + 1) % 10))];
  const digits = value.length - 2;
  const step = everyByte ? 2 : Math.max(1, Math.floor(digits / 16));
  const positions = Array.from({ length: Math.ceil(digits / step) }, (_, count) => count * step);
  return [...new Set([...positions, digits - 1])].map((index) => withDigit(value, index));
}

/** Returns the list with an item left out or repeated, or in another order. */
function otherLists(items: readonly unknown[]): unknown[] {
  const lists = items.flatMap((_, i) => [items.toSpliced(i, 1), items.toSpliced(i, 0, items[i])]);
  if (items.length > 1) lists.push(items.toReversed(), [...items.slice(1), items[0]]);
  return [...lists, [], [...items, '0x80']].filter((list) => JSON.stringify(list) !== JSON.stringify(items));
}

/** All changes of a value: JSON pointer and new value. */
export function* changesIn(
  value: unknown,
  everyByte = false,
  path = '',
): Generator<[path: string, by: unknown]> {
  const others = Array.isArray(value) ? otherLists(value) : otherValues(value, everyByte);
  for (const by of others) if (by !== value) yield [path, by];
  if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) yield* changesIn(inner, everyByte, `${path}/${key}`);
}
