import { expect, test } from 'vitest';
import { rehearse, type StepReporter } from './rehearsal.ts';
import { exitCodeOf, reportText } from './report.ts';
import { isChanging } from './stack/cloudformation.ts';
import { alarmProblems } from './steps/metrics.ts';

type RunStep = (reporter: StepReporter) => Promise<void>;

const holds: RunStep = async ({ proven }) => proven('it holds');

const run = (steps: Readonly<Record<string, RunStep>>, signal = new AbortController().signal) => {
  const leftBehind = () => ['one command removes all of it'];
  const rehearsal = { name: 'smoke', target: 'an account', steps: Object.entries(steps), leftBehind };
  return rehearse(rehearsal, { signal, log: () => undefined });
};

test('a failed step ends the run, and the report lists the earlier facts and the remaining resources', async () => {
  const fails: RunStep = async ({ proven, notProven }) => {
    proven('a key is throttled');
    notProven('the stage', 'not requested');
    throw new Error('HTTP request failed.\nURL: https://rpc.example.org/v2/KEY');
  };
  const report = await run({ deploy: holds, throttle: fails, destroy: holds });
  expect(report.steps.map(({ state }) => state)).toEqual(['done', 'failed', 'not run']);
  expect(exitCodeOf(report)).toBe(1);
  const text = reportText(report);
  for (const line of [
    'proven      a key is throttled',
    'NOT PROVEN  the stage: not requested',
    'one command',
  ])
    expect(text).toContain(line);
  expect(text).toMatch(/2 proven, 1 NOT PROVEN, 1 FAILED, in 0 s$/);
  expect(text).toContain('URL: <url>');
  expect(JSON.stringify(report) + text).not.toContain('KEY');
});

test('a run of successful steps exits with 0, and one without steps does not', async () => {
  expect(exitCodeOf(await run({ deploy: holds }))).toBe(0);
  expect(exitCodeOf({ steps: [] })).toBe(1);
});

test('Ctrl-C interrupts a step, and the run ends after the cleanup of that step', async () => {
  const stopped = new AbortController();
  let cleanedUp = false;
  const waits: RunStep = ({ atEnd }) => {
    atEnd(async () => {
      cleanedUp = true;
    });
    stopped.abort();
    return new Promise(() => undefined);
  };
  await expect(run({ attest: waits }, stopped.signal)).rejects.toThrow('interrupted');
  expect(cleanedUp).toBe(true);
});

/** As DescribeAlarms answers: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricAlarm.html */
const alarms = (sweep: 'OK' | 'ALARM', unauthenticated: 'ALARM' | 'INSUFFICIENT_DATA') => [
  { AlarmName: 'Imprimatur-Smoke-AlarmsSweepSilentF8DFD659-X1', StateValue: sweep },
  { AlarmName: 'Imprimatur-Smoke-AlarmsUnauthenticated32C7F1B7-Y2', StateValue: unauthenticated },
];

test('`alarmProblems` expects SweepSilent to be OK and Unauthenticated to fire', () => {
  expect(alarmProblems(alarms('OK', 'ALARM'))).toEqual([]);
  expect(alarmProblems(alarms('ALARM', 'INSUFFICIENT_DATA'))).toEqual([
    'SweepSilent is ALARM, although the sweep runs',
    'Unauthenticated is INSUFFICIENT_DATA',
  ]);
});

test('`isChanging` is false for a stack that waits for review', () => {
  expect(['UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS'].every(isChanging)).toBe(true);
  expect(['REVIEW_IN_PROGRESS', 'UPDATE_ROLLBACK_FAILED', undefined].some(isChanging)).toBe(false);
});
