import { printable } from './printable.ts';

/** One field a line, values aligned. */
export function fieldList(fields: Readonly<Record<string, string | number | null>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${printable(String(value ?? '-'))}`)
    .join('\n');
}
