import { cpus, loadavg, totalmem } from 'node:os';
import { markdownTable } from 'markdown-table';

export type Cell = string | number;

/** A table of results; numbers are kept as numbers until they are printed. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Bench {
  /** Directory for bundles, state and logs. */
  readonly directory: string;
  readonly log: (line: string) => void;
  /** Aborted when the command is interrupted. */
  readonly signal: AbortSignal;
  readonly attestations: number;
}

export type Measure = (bench: Bench) => Promise<Table[]>;

/** Formats a table as Markdown, with numbers aligned to the right. One long cell does not widen all rows. */
export function presentTable({ title, columns, rows }: Table): string {
  const isNumeric = (column: number) => rows.every((row) => typeof row[column] === 'number');
  const texts = rows.map((row) => row.map((cell) => cell.toLocaleString('en')));
  const table = markdownTable([[...columns], ...texts], {
    align: columns.map((_, column) => (rows.length > 0 && isNumeric(column) ? 'right' : null)),
    alignDelimiters: texts.flat().every(({ length }) => length <= 60),
  });
  return `**${title}**\n\n${table}`;
}

/** Returns `yes` if a measured value is within its limit, otherwise `**no**`. */
export function withinLimit(value: number, limit: number): string {
  return value <= limit ? 'yes' : '**no**';
}

export const tenths = (value: number): number => Math.round(value * 10) / 10;

/** Describes the machine and the time of a measurement: a duration means nothing without them. */
export function describeMachine(): string {
  const [cpu] = cpus();
  const time = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const [memory, load] = [Math.round(totalmem() / 2 ** 30), loadavg()[0]?.toFixed(1)];
  const machine = `${cpus().length} cores (${cpu?.model.trim() || 'unknown'}), ${memory} GiB, load ${load}`;
  return `${time} UTC, ${machine}, ${process.platform}-${process.arch}, Node ${process.version}`;
}
