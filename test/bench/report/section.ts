import type { Route } from '../../../functions/domain/chain.ts';
import type { Stack } from '../../../local/stack/stack.ts';
import { OptionInvalidError, wholeNumber } from '../../../local/terminal/option-values.ts';

export type Cell = string | number;

/** A table of results; numbers are kept as numbers until they are printed. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Means of measurement that a section gets. */
export interface Bench {
  /** A running service, started on first use and shared by the sections. */
  stack(): Promise<Stack>;
  /** Starts a service of its own with so many confirmations; who asks for it stops it. */
  stackWith(confirmations: number): Promise<Stack>;
  /** Directory for a section's files, bundles and logs. */
  readonly directory: string;
  readonly log: (line: string) => void;
  /** Options of the section lanes. */
  readonly lanes: LaneOptions;
}

/** Measures one part of the service's cost. */
export type Measure = (bench: Bench) => Promise<Table[]>;

export const sectionNames = ['bundles', 'handlers', 'hops', 'transitions', 'gas', 'lanes', 'quotes'] as const;

export type SectionName = (typeof sectionNames)[number];

export type StoreName = 'memory' | 'dynamodb';

/** Options of the section lanes. */
export interface LaneOptions {
  /** Number of attestations queued at once; the slower runs take fewer. */
  readonly attestations: number;
  readonly stores: readonly StoreName[];
  readonly modes: readonly Route[];
}

/** Values of the command line. */
export interface LaneValues {
  readonly attestations: string;
  readonly store: string;
  readonly mode: string;
}

/** Gives the one name; for `both`, all names. @throws OptionInvalidError */
function choice<Name extends string>(option: string, value: string, names: readonly Name[]): readonly Name[] {
  const chosen = names.filter((name) => value === 'both' || value === name);
  if (chosen.length > 0) return chosen;
  const offered = [...names, 'both'].join(', ');
  throw new OptionInvalidError(`${option} must be one of ${offered}, not ${JSON.stringify(value)}`);
}

/** Parses the options of the section lanes. @throws OptionInvalidError */
export function parseLaneOptions({ attestations, store, mode }: LaneValues): LaneOptions {
  return {
    attestations: wholeNumber('--attestations', attestations, 1, 100_000),
    stores: choice('--store', store, ['memory', 'dynamodb']),
    modes: choice('--mode', mode, ['forwarder', 'key']),
  };
}
