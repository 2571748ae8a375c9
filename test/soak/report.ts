import { createHash } from 'node:crypto';
import { type SeedRun, sumOf, type Tally } from './run/run-seed.ts';

export interface Report {
  readonly seeds: number;
  readonly real: boolean;
  readonly failed: readonly SeedRun[];
  readonly tally: Tally;
  /** Hash of the traces of all runs: two runs of the same seeds on fakes have the same hash. */
  readonly trace: string;
}

export function reportOf(runs: readonly SeedRun[], real: boolean): Report {
  const traces = createHash('sha256');
  for (const { trace } of runs) traces.update(trace);
  return {
    ...{ seeds: runs.length, real, failed: runs.filter(({ failure }) => failure !== undefined) },
    tally: sumOf(runs.map(({ tally }) => tally)),
    trace: traces.digest('hex').slice(0, 32),
  };
}

/** Formats a run's failure, and the command that replays it. */
export function failureText({ seed, failure, trace }: SeedRun, real: boolean): string {
  return [
    `seed ${seed} failed: ${failure}`,
    real
      ? '  with --real, the same seed makes the same faults, but not always at the same call'
      : `  trace ${trace}`,
    `  npm run soak -- --seed ${seed} --trace${real ? ' --real' : ''}`,
  ].join('\n');
}

export function reportText({ seeds, real, failed, tally, trace }: Report): string {
  const counts = Object.entries(tally).map(([name, times]) => `${String(times).padStart(8)}  ${name}`);
  return [
    ...failed.map((run) => failureText(run, real)),
    ...counts,
    `${seeds} seeds${real ? ' with --real' : `, trace ${trace}`}: ${seeds - failed.length} passed, ${failed.length} failed`,
  ].join('\n');
}
