import type { Route } from '../../functions/domain/lane.ts';
import { OptionInvalidError, wholeNumber } from '../../local/option-values.ts';

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
