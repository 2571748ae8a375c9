import type { Route } from '../../../functions/domain/chain.ts';
import type { Stack } from '../../../local/stack/stack.ts';
import { OptionInvalidError, wholeNumber } from '../../../local/terminal/option-values.ts';

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

export type StoreName = 'memory' | 'dynamodb';

/** What the section lanes is to measure. */
export interface LaneOptions {
  /** Queued at once; the slower runs take fewer. */
  readonly attestations: number;
  readonly stores: readonly StoreName[];
  readonly modes: readonly Route[];
}

/** As the command line has them. */
export interface LaneValues {
  readonly attestations: string;
  readonly store: string;
  readonly mode: string;
}

/** Of a name, it alone; of `both`, all. @throws OptionInvalidError */
function choice<Name extends string>(option: string, value: string, names: readonly Name[]): readonly Name[] {
  const chosen = names.filter((name) => value === 'both' || value === name);
  if (chosen.length > 0) return chosen;
  const offered = [...names, 'both'].join(', ');
  throw new OptionInvalidError(`${option} must be one of ${offered}, not ${JSON.stringify(value)}`);
}

/** @throws OptionInvalidError */
export function parseLaneOptions({ attestations, store, mode }: LaneValues): LaneOptions {
  return {
    attestations: wholeNumber('--attestations', attestations, 1, 100_000),
    stores: choice('--store', store, ['memory', 'dynamodb']),
    modes: choice('--mode', mode, ['forwarder', 'key']),
  };
}
