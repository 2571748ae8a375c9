import type { Cell, Table } from './section.ts';

const maxPaddedWidth = 60;

function shown(cell: Cell): string {
  return typeof cell === 'number' ? cell.toLocaleString('en') : cell;
}

function line(cells: readonly string[], widths: readonly number[], numeric: readonly boolean[]): string {
  const padded = cells.map((cell, column) => {
    const width = widths[column] ?? 0;
    if (numeric[column]) return cell.padStart(width);
    // One long cell at the end must not make every row as long.
    return column === cells.length - 1 && width > maxPaddedWidth ? cell : cell.padEnd(width);
  });
  return `| ${padded.join(' | ')} |`;
}

/** Formats a table as aligned Markdown, which is readable on a terminal too: numbers to the right, text to the left. */
export function presentTable({ title, columns, rows }: Table): string {
  const texts = rows.map((row) => row.map(shown));
  const widths = columns.map((column, at) =>
    Math.max(3, column.length, ...texts.map((row) => row[at]?.length ?? 0)),
  );
  const numeric = columns.map((_, at) => rows.length > 0 && rows.every((row) => typeof row[at] === 'number'));
  const rule = widths.map((width, at) =>
    numeric[at] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(Math.min(width, maxPaddedWidth)),
  );
  return [
    `**${title}**`,
    '',
    line(columns, widths, numeric),
    `| ${rule.join(' | ')} |`,
    ...texts.map((row) => line(row, widths, numeric)),
  ].join('\n');
}

/** Converts the rows to objects by column, for scripts. */
export function tableRecords({ columns, rows }: Table): Record<string, Cell>[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? ''])));
}

/** Formats a measured value beside its limit: `yes` within, `**no**` over. */
export function withinLimit(value: number, limit: number): string {
  return value <= limit ? 'yes' : '**no**';
}
