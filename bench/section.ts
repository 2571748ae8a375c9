import type { Stack } from '../local/stack.ts';
import type { LaneOptions } from './lanes/lane-options.ts';

export type Cell = string | number;

/** One table of results; numbers are kept as numbers until they are printed. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** What a section is given to measure with. */
export interface Bench {
  /** A running service, started on first use and shared by the sections. */
  stack(): Promise<Stack>;
  /** Where a section may leave files, bundles and logs. */
  readonly directory: string;
  readonly log: (line: string) => void;
  /** For the section lanes. */
  readonly lanes: LaneOptions;
}

/** Measures one side of what the service costs. */
export type Measure = (bench: Bench) => Promise<Table[]>;

export const sectionNames = ['bundles', 'handlers', 'hops', 'transitions', 'gas', 'lanes'] as const;

export type SectionName = (typeof sectionNames)[number];
