import { setTimeout as pause } from 'node:timers/promises';
import { withoutUrls } from '../../admin/error-line.ts';
import { raceWithStop, StopRequestedError } from '../../local/process/stop-request.ts';
import { describeFailure, PlainError } from '../../local/terminal/plain-error.ts';
import type { Report, StepReport } from './report.ts';

export function demand(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new PlainError(otherwise);
}

/** Polls until the condition holds. @throws PlainError after so many minutes */
export async function until(
  what: string,
  { minutes, everySeconds }: { minutes: number; everySeconds: number },
  holds: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + minutes * 60_000;
  while (!(await holds())) {
    demand(Date.now() < deadline, `not true after ${minutes} minutes: ${what}`);
    await pause(everySeconds * 1000);
  }
}

/** How a step reports, and registers its cleanup. */
export interface Talk {
  log(what: string): void;
  proven(what: string): void;
  notProven(what: string, why: string): void;
  /** Registers a cleanup for the end of the step, also when it fails or is stopped. */
  atEnd(undo: () => Promise<unknown>): void;
}

export interface Rehearsal {
  readonly name: string;
  readonly place: string;
  readonly steps: readonly (readonly [name: string, act: (talk: Talk) => Promise<void>])[];
  /** Resources that it leaves in an account, and how to remove them. */
  readonly leftBehind: () => readonly string[];
}

/** What the rehearsals need from the process that runs them. */
export interface Ways {
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Errors of viem contain the URL of a provider. */
const failureOf = (error: unknown): string => withoutUrls(describeFailure(error));

/** Runs the steps in turn until one fails. @throws StopRequestedError; every other failure is in the report */
export async function rehearse({ name, place, steps, leftBehind }: Rehearsal, ways: Ways): Promise<Report> {
  const startedAt = Date.now();
  const reports: StepReport[] = [];
  for (const [at, [step, act]] of steps.entries()) {
    if (reports.some(({ state }) => state === 'failed')) {
      reports.push({ step, state: 'not run', seconds: 0, proven: [], notProven: [] });
      continue;
    }
    ways.log(`${at + 1} of ${steps.length}: ${step}`);
    reports.push(await runStep(step, act, ways));
  }
  const seconds = (Date.now() - startedAt) / 1000;
  return { rehearsal: name, place, seconds, steps: reports, leftBehind: leftBehind() };
}

async function runStep(
  step: string,
  act: (talk: Talk) => Promise<void>,
  { signal, log }: Ways,
): Promise<StepReport> {
  const report = { proven: [] as string[], notProven: [] as { what: string; why: string }[] };
  const undos: (() => Promise<unknown>)[] = [];
  const began = Date.now();
  const talk: Talk = {
    log: (what) => log(`  ${what}`),
    proven: (what) => {
      report.proven.push(what);
      log(`  proven: ${what}`);
    },
    notProven: (what, why) => {
      report.notProven.push({ what, why });
      log(`  NOT PROVEN: ${what}: ${why}`);
    },
    atEnd: (undo) => undos.push(undo),
  };
  const failure = await raceWithStop(signal, act(talk)).then(() => undefined, failureOf);
  for (const undo of undos) await undo().catch((error) => log(`  cleanup failed: ${failureOf(error)}`));
  // A stack of another checkout fails with its own error, so the signal decides.
  if (signal.aborted) throw new StopRequestedError();
  const seconds = (Date.now() - began) / 1000;
  if (failure === undefined) return { step, state: 'done', seconds, ...report };
  log(`  FAILED: ${failure}`);
  return { step, state: 'failed', seconds, ...report, failure };
}
