import { expect, test } from 'vitest';
import { exitCodeOf, reportText } from './report.ts';
import { rehearse, type Talk } from './run.ts';
import { isChanging } from './stack/cloudformation.ts';
import { isAccessLine, isOfFunction, kindOfLine } from './steps/logs.ts';
import { alarmProblems } from './steps/metrics.ts';

type Act = (talk: Talk) => Promise<void>;

const holds: Act = async ({ proven }) => proven('it holds');

const run = (steps: Readonly<Record<string, Act>>, signal = new AbortController().signal) => {
  const leftBehind = () => ['all of it goes with one command'];
  const rehearsal = { name: 'smoke', place: 'an account', steps: Object.entries(steps), leftBehind };
  return rehearse(rehearsal, { signal, log: () => undefined });
};

test('a failed step ends the run, and the report has earlier facts and left resources', async () => {
  const fails: Act = async ({ proven, notProven }) => {
    proven('a key is throttled');
    notProven('the stage', 'nobody asked');
    throw new Error('HTTP request failed.\nURL: https://rpc.example.org/v2/KEY');
  };
  const report = await run({ deploy: holds, throttle: fails, destroy: holds });
  expect(report.steps.map(({ state }) => state)).toEqual(['done', 'failed', 'not run']);
  expect(exitCodeOf(report)).toBe(1);
  const text = reportText(report);
  for (const said of ['proven      a key is throttled', 'NOT PROVEN  the stage: nobody asked', 'one command'])
    expect(text).toContain(said);
  expect(text).toMatch(/2 proven, 1 NOT PROVEN, 1 FAILED, in 0 s$/);
  expect(text).toContain('URL: <url>');
  expect(JSON.stringify(report) + text).not.toContain('KEY');
});

test('a run of successful steps exits with 0, and one without steps does not', async () => {
  expect(exitCodeOf(await run({ deploy: holds }))).toBe(0);
  expect(exitCodeOf({ steps: [] })).toBe(1);
});

test('Ctrl-C interrupts a step after its cleanup', async () => {
  const stopped = new AbortController();
  let undone = false;
  const waits: Act = ({ atEnd }) => {
    atEnd(async () => {
      undone = true;
    });
    stopped.abort();
    return new Promise(() => undefined);
  };
  await expect(run({ attest: waits }, stopped.signal)).rejects.toThrow('interrupted');
  expect(undone).toBe(true);
});

/** As DescribeAlarms answers: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricAlarm.html */
const alarms = (sweep: 'OK' | 'ALARM', strangers: 'ALARM' | 'INSUFFICIENT_DATA') => [
  { AlarmName: 'Imprimatur-Smoke-AlarmsSweepSilentF8DFD659-X1', StateValue: sweep },
  { AlarmName: 'Imprimatur-Smoke-AlarmsUnauthenticated32C7F1B7-Y2', StateValue: strangers },
];

test('`alarmProblems` expects SweepSilent to be OK and Unauthenticated to fire', () => {
  expect(alarmProblems(alarms('OK', 'ALARM'))).toEqual([]);
  expect(alarmProblems(alarms('ALARM', 'INSUFFICIENT_DATA'))).toEqual([
    'SweepSilent is ALARM, and the sweep runs',
    'Unauthenticated is INSUFFICIENT_DATA',
  ]);
});

test('`isChanging` is false for a stack that waits for review', () => {
  expect(['UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS'].every(isChanging)).toBe(true);
  expect(['REVIEW_IN_PROGRESS', 'UPDATE_ROLLBACK_FAILED', undefined].some(isChanging)).toBe(false);
});

test('`isOfFunction` distinguishes log groups of functions from those of the API and state machines', () => {
  const functions = ['ApiListChainsLog98A9E67B', 'WorkflowSweepLog4A34BA2A', 'WebhooksSendDeliveriesLog44'];
  const others = ['ApiLog1866DE64', 'WorkflowAttestLogB7FA55B3', 'WorkflowLaneLogC8E29F2F'];
  expect([...functions, ...others].filter(isOfFunction)).toEqual(functions);
});

const line = { time: '2026-01-01T00:00:00.000Z', level: 'info', message: 'sweep done' };

/** https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html */
const platform = { time: '2026-03-13T18:56:24.046Z', type: 'platform.report', record: {} };

/** As the runtime writes what a handler throws: https://github.com/aws/aws-lambda-nodejs-runtime-interface-client, src/LogPatch.js */
const thrown = {
  ...{ timestamp: '2026-03-13T18:56:24.046Z', level: 'ERROR' },
  requestId: '79b4f56e-95b1-4643-9700-2807f4e68189',
  message: { errorType: 'StepError', errorMessage: 'not yet final', stackTrace: [] },
};

test.each<[string, unknown, string]>([
  ["the service's", line, 'service'],
  ["Lambda's", platform, 'platform'],
  ["Lambda's in text", 'START RequestId: 79b4f56e-95b1-4643-9700-2807f4e68189 Version: 3', 'platform'],
  ["Node's", '(node:28379) [DEP0169] DeprecationWarning: `url.parse()` behavior is …', 'platform'],
  ['what a handler threw', thrown, 'platform'],
  ['what a handler printed', { ...thrown, message: 'printed' }, 'wrong'],
  ['no JSON', 'oh no', 'wrong'],
  ['without a time', { ...line, time: 'today' }, 'wrong'],
])('`kindOfLine` recognizes a line that is %s', (_, text, kind) => {
  expect(kindOfLine(typeof text === 'string' ? text : JSON.stringify(text))).toBe(kind);
});

/** As API Gateway fills the standard fields in: https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html */
const access = {
  requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  ...{ ip: '127.0.0.1', user: '-', caller: '-', requestTime: '09/Nov/2026:12:34:56 +0000' },
  ...{ httpMethod: 'GET', resourcePath: '/v1/chains', status: '200', protocol: 'HTTP/1.1' },
  responseLength: '203',
};

test('`isAccessLine` requires the standard fields', () => {
  expect(isAccessLine(JSON.stringify(access))).toBe(true);
  const { ip: _, ...rest } = access;
  const others = [JSON.stringify(rest), JSON.stringify({ ...access, status: '-' }), '127.0.0.1 - - [09/Nov]'];
  expect(others.some(isAccessLine)).toBe(false);
});
