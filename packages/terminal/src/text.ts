import type { Writable } from 'node:stream';
import Table from 'cli-table3';

/** Bidirectional formatting characters, and all C0 and C1 control characters except tab and line feed. */
const controls = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** Shows control characters as `\u{1b}`, so that no escape sequence takes effect on a terminal. */
export function printable(text: string): string {
  return text.replaceAll(controls, (control) => `\\u{${control.codePointAt(0)?.toString(16)}}`);
}

/** Like `printable`, but also escapes tabs and line feeds, which could forge a column or a line. */
export const printableLine = (text: string): string =>
  printable(text).replaceAll('\t', '\\u{9}').replaceAll('\n', '\\u{a}');

type Cell = string | number | null;

const noLines = ['top', 'bottom', 'left', 'right'].flatMap((side) =>
  ['', '-mid', '-left', '-right'].map((suffix) => [`${side}${suffix}`, '']),
);
const layout = {
  chars: { ...Object.fromEntries(noLines), mid: '', 'mid-mid': '', middle: '  ' },
  style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
};

function alignColumns(rows: readonly (readonly Cell[])[]): string {
  const cliTable = new Table(layout);
  for (const row of rows) cliTable.push(row.map((cell) => printableLine(String(cell ?? '-'))));
  return cliTable.toString().replaceAll(/ +$/gm, '');
}

/** Formats a heading and one line for each row, with aligned columns. */
export const table = (headings: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  alignColumns([headings, ...rows]);

/** Formats one line for each field, with aligned values. */
export const fieldList = (fields: Readonly<Record<string, Cell>>): string =>
  alignColumns(Object.entries(fields));

/** Lets the command end normally when the reader of its output is gone (`… | head -1`). */
export function ignoreClosedPipe(output: Pick<Writable, 'on'>): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
