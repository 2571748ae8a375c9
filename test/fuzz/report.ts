import * as z from 'zod';

/** The used parts of schemathesis's report. */
const reportSchema = z.object({
  seed: z.number().nullable(),
  running_time: z.number(),
  stop_reason: z.string(),
  operations: z.object({ selected: z.number(), tested: z.number() }),
  phases: z.record(z.string(), z.object({ status: z.string() })),
  test_cases: z.object({ generated: z.number() }),
  failures: z.array(z.object({ title: z.string(), count: z.number(), operations: z.array(z.unknown()) })),
  errors: z.array(z.unknown()),
});

export interface FuzzReport {
  readonly cases: number;
  readonly seed: number | null;
  readonly seconds: number;
  readonly operations: number;
  readonly phases: Readonly<Record<string, string>>;
  /** Failures, one line each. */
  readonly failures: readonly string[];
}

/** All phases, because an omitted one finds nothing. */
const allPhases = ['examples', 'coverage', 'fuzzing', 'stateful'];

/** Reads a report. @throws ZodError when it is not a report of schemathesis */
export function readReport(json: string): FuzzReport {
  const report = reportSchema.parse(JSON.parse(json));
  const phases = Object.fromEntries(
    Object.entries(report.phases).map(([name, { status }]) => [name, status]),
  );
  const cases = report.test_cases.generated;
  const failures = [
    ...report.failures.map(
      ({ title, count, operations }) => `${title}: ${count}, at ${operationNames(operations)}`,
    ),
    ...report.errors.map((error) => `error: ${JSON.stringify(error)}`),
    ...unfinished(report, phases),
    ...(cases === 0 ? ['no cases were generated'] : []),
  ];
  const { seed, running_time: seconds, operations } = report;
  return { cases, seed, seconds, operations: operations.tested, phases, failures };
}

function operationNames(operations: readonly unknown[]): string {
  return operations.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(', ');
}

/** Stop reasons of a run that was not cut short. */
const normalStopReasons = ['completed', 'max_time'];

/** Returns failures for everything that did not run, because an incomplete run could end without failures. */
function unfinished(
  { stop_reason: stopReason, operations }: z.output<typeof reportSchema>,
  phases: Readonly<Record<string, string>>,
): string[] {
  const missing = allPhases.filter((name) => phases[name] !== 'success');
  return [
    ...(normalStopReasons.includes(stopReason) ? [] : [`the run was cut short: ${stopReason}`]),
    ...(operations.tested < operations.selected
      ? [`only ${operations.tested} of ${operations.selected} operations were tested`]
      : []),
    ...missing.map((name) => `the phase ${name} did not succeed: ${phases[name] ?? 'not run'}`),
  ];
}

/** Joins two runs into one, with the seed of the first. */
export function joinReports(first: FuzzReport, second: FuzzReport): FuzzReport {
  return {
    ...first,
    cases: first.cases + second.cases,
    seconds: first.seconds + second.seconds,
    failures: [...first.failures, ...second.failures],
  };
}

export function reportText({ cases, seed, seconds, operations, phases, failures }: FuzzReport): string {
  const done = Object.entries(phases).map(([name, status]) => `${name} ${status}`);
  return [
    `${cases} cases of ${operations} operations in ${Math.round(seconds)} s, seed ${seed}`,
    `phases: ${done.join(', ')}`,
    ...failures.map((failure) => `FAILED  ${failure}`),
    `${failures.length} failures`,
  ].join('\n');
}
