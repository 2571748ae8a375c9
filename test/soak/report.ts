import { createHash } from 'node:crypto';
import { type Life, sumOf, type Tally } from './life/seed.ts';

export interface Report {
  readonly seeds: number;
  readonly real: boolean;
  readonly failed: readonly Life[];
  readonly tally: Tally;
  /** Hash of the traces of all lives: two runs of the same seeds on fakes have the same. */
  readonly trace: string;
}

export function reportOf(lives: readonly Life[], real: boolean): Report {
  const traces = createHash('sha256');
  for (const { trace } of lives) traces.update(trace);
  return {
    ...{ seeds: lives.length, real, failed: lives.filter(({ failure }) => failure !== undefined) },
    tally: sumOf(lives.map(({ tally }) => tally)),
    trace: traces.digest('hex').slice(0, 32),
  };
}

/** Formats a life's failure, and the command that replays it. A life that is traced is run only once. */
export function failureText({ seed, failure, trace, replays }: Life, real: boolean): string {
  const again = replays ? 'agreed' : 'DIFFERED';
  const replay = replays === undefined ? '' : `a second run ${again}, `;
  return [
    `seed ${seed} failed: ${failure}`,
    real
      ? '  with --real, the same seed makes the same faults, but not always at the same call'
      : `  ${replay}trace ${trace}`,
    `  npm run soak -- --seed ${seed} --trace${real ? ' --real' : ''}`,
  ].join('\n');
}

export function reportText({ seeds, real, failed, tally, trace }: Report): string {
  const counts = Object.entries(tally).map(([name, times]) => `${String(times).padStart(8)}  ${name}`);
  return [
    ...failed.map((life) => failureText(life, real)),
    ...counts,
    `${seeds} seeds${real ? ' with --real' : `, trace ${trace}`}: ${seeds - failed.length} passed, ${failed.length} failed`,
  ].join('\n');
}
