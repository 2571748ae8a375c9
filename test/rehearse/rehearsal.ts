import { withoutUrls } from '../../admin/error-line.ts';
import { raceWithStop, StopRequestedError } from '../../local/process/stop-request.ts';
import { describeFailure } from '../../local/terminal/plain-error.ts';
import type { Report, StepReport } from './report.ts';

/** Functions with which a step reports, and registers its cleanup. */
export interface StepReporter {
  log(message: string): void;
  proven(fact: string): void;
  notProven(fact: string, reason: string): void;
  /** Registers a cleanup for the end of the step, also when it fails or is stopped. */
  atEnd(cleanUp: () => Promise<unknown>): void;
}

export interface Rehearsal {
  readonly name: string;
  readonly target: string;
  readonly steps: readonly (readonly [name: string, run: (reporter: StepReporter) => Promise<void>])[];
  /** Resources that it leaves in an account, and how to remove them. */
  readonly leftBehind: () => readonly string[];
}

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Errors of viem contain the URL of a provider. */
const failureOf = (error: unknown): string => withoutUrls(describeFailure(error));

/** Runs the steps in turn until one fails. @throws StopRequestedError; every other failure is in the report */
export async function rehearse(
  { name, target, steps, leftBehind }: Rehearsal,
  runOptions: RunOptions,
): Promise<Report> {
  const startedAt = Date.now();
  const reports: StepReport[] = [];
  for (const [index, [step, run]] of steps.entries()) {
    if (reports.some(({ state }) => state === 'failed')) {
      reports.push({ step, state: 'not run', seconds: 0, proven: [], notProven: [] });
      continue;
    }
    runOptions.log(`${index + 1} of ${steps.length}: ${step}`);
    reports.push(await runStep(step, run, runOptions));
  }
  const seconds = (Date.now() - startedAt) / 1000;
  return { rehearsal: name, target, seconds, steps: reports, leftBehind: leftBehind() };
}

async function runStep(
  step: string,
  run: (reporter: StepReporter) => Promise<void>,
  { signal, log }: RunOptions,
): Promise<StepReport> {
  const report = { proven: [] as string[], notProven: [] as { fact: string; reason: string }[] };
  const cleanUps: (() => Promise<unknown>)[] = [];
  const startedAt = Date.now();
  const reporter: StepReporter = {
    log: (message) => log(`  ${message}`),
    proven: (fact) => {
      report.proven.push(fact);
      log(`  proven: ${fact}`);
    },
    notProven: (fact, reason) => {
      report.notProven.push({ fact, reason });
      log(`  NOT PROVEN: ${fact}: ${reason}`);
    },
    atEnd: (cleanUp) => cleanUps.push(cleanUp),
  };
  const failure = await raceWithStop(signal, run(reporter)).then(() => undefined, failureOf);
  for (const cleanUp of cleanUps)
    await cleanUp().catch((error) => log(`  cleanup failed: ${failureOf(error)}`));
  // A stack of another checkout fails with its own error, so the signal decides.
  if (signal.aborted) throw new StopRequestedError();
  const seconds = (Date.now() - startedAt) / 1000;
  if (failure === undefined) return { step, state: 'done', seconds, ...report };
  log(`  FAILED: ${failure}`);
  return { step, state: 'failed', seconds, ...report, failure };
}
