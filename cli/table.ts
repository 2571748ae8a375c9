import { printable } from './printable.ts';

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
