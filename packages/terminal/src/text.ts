import type { Writable } from 'node:stream';

/** C0 and C1 controls, except tab and line feed, and marks that change the direction of writing. */
const controls = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes a publisher's text safe for a terminal: controls show as `\u{1b}`, so that no escape sequence in the text takes
 * effect.
 */
export function printable(text: string): string {
  return text.replaceAll(controls, (control) => `\\u{${control.codePointAt(0)?.toString(16)}}`);
}

/** The same in one line: a tab or a line feed in the text would forge a column or a line. */
export const inOneLine = (text: string): string =>
  printable(text).replaceAll('\t', '\\u{9}').replaceAll('\n', '\\u{a}');

/** Formats a heading and one line for each row, with aligned columns. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cells = [headings, ...rows.map((row) => row.map((cell) => inOneLine(String(cell ?? '-'))))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return cells.map((row) => line(row).trimEnd()).join('\n');
}

/** Formats one line for each field, with aligned values. */
export function fieldList(fields: Readonly<Record<string, string | number | null>>): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${inOneLine(String(value ?? '-'))}`)
    .join('\n');
}

/**
 * Ends the command as usual when the reader of its output has gone (`… | head -1`): that is not a failure, and there is
 * no reader left for a message. Any other error of the output is thrown.
 */
export function outliveReader(output: Pick<Writable, 'on'>): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
