import type { Writable } from 'node:stream';

/** C0 and C1 controls, tab and line feed excepted, and marks that turn the direction of writing. */
const controls = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Publishers' texts for a terminal: an escape sequence in one must not run, so controls show as `\u{1b}`. */
export function printable(text: string): string {
  return text.replaceAll(controls, (control) => `\\u{${control.codePointAt(0)?.toString(16)}}`);
}

/** A heading and one line a row, columns aligned. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cells = [headings, ...rows.map((row) => row.map((cell) => printable(String(cell ?? '-'))))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return cells.map((row) => line(row).trimEnd()).join('\n');
}

/** One field a line, values aligned. */
export function fieldList(fields: Readonly<Record<string, string | number | null>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${printable(String(value ?? '-'))}`)
    .join('\n');
}

/**
 * Lets a command end as it would when whoever read its output has gone (`… | head -1`): that is no failure, and nobody
 * is left to be told. Any other error of the output is thrown.
 */
export function outliveReader(output: Pick<Writable, 'on'>): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
