import { expect, test } from 'vitest';
import { jsonLog } from '../../functions/adapters/aws/cloudwatch-log.ts';
import { accessLineProblem, kindOfLine, secretsIn } from './log-lines.ts';

function logged(write: (log: ReturnType<typeof jsonLog>) => void): string {
  let line = '';
  write(
    jsonLog(
      (text) => {
        line = text;
      },
      () => new Date(),
    ),
  );
  return line;
}

test("knows the service's own lines, with metrics and without", () => {
  expect(kindOfLine(logged((log) => log.info('request answered', { status: 202 })))).toBe('service');
  const metric = logged((log) => log.info('sweep done', { attestations: 3, oldestUnfinishedSeconds: 4 }));
  expect(metric).toContain('CloudWatchMetrics');
  expect(kindOfLine(metric)).toBe('service');
});

/** https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html */
const platformReport = {
  time: '2026-03-13T18:56:24.046Z',
  type: 'platform.report',
  record: {
    requestId: '79b4f56e-95b1-4643-9700-2807f4e68189',
    metrics: { durationMs: 58.6, billedDurationMs: 59, memorySizeMB: 128, maxMemoryUsedMB: 62 },
    status: 'success',
  },
};

test("knows Lambda's lines, in JSON as AWS writes them and in text as an emulator does", () => {
  expect(kindOfLine(JSON.stringify(platformReport))).toBe('platform');
  expect(kindOfLine('START RequestId: 79b4f56e-95b1-4643-9700-2807f4e68189 Version: 3')).toBe('platform');
  expect(kindOfLine('(node:28379) [DEP0169] DeprecationWarning: `url.parse()` behavior is …')).toBe(
    'platform',
  );
});

/** As the runtime writes what a handler throws: https://github.com/aws/aws-lambda-nodejs-runtime-interface-client, src/LogPatch.js */
const thrown = {
  ...{ timestamp: '2026-03-13T18:56:24.046Z', level: 'ERROR' },
  requestId: '79b4f56e-95b1-4643-9700-2807f4e68189',
  message: { errorType: 'StepError', errorMessage: 'not yet final', stackTrace: [] },
};

test('knows the line of an error that a handler threw, and no other of the runtime', () => {
  expect(kindOfLine(JSON.stringify(thrown))).toBe('thrown');
  expect(kindOfLine(JSON.stringify({ ...thrown, message: 'printed' }))).toEqual({ problem: 'has no time' });
  expect(kindOfLine(JSON.stringify({ ...thrown, level: 'INFO' }))).toEqual({ problem: 'has no time' });
});

const line = { time: '2026-01-01T00:00:00.000Z', level: 'info', message: 'sweep done' };
const directive = {
  Namespace: 'Imprimatur/Smoke',
  Dimensions: [['service']],
  Metrics: [{ Name: 'SweepDone' }],
};
const metrics = { Timestamp: 1, CloudWatchMetrics: [directive] };

test.each<[string, unknown, string]>([
  ['no JSON', undefined, 'is not JSON'],
  ['no time', { ...line, time: 'today' }, 'has no time'],
  ['no level', { ...line, level: 'loud' }, 'has no level'],
  ['no message', { ...line, message: '' }, 'has no message'],
  ['a metric without its number', { ...line, _aws: metrics, service: 'imprimatur' }, 'has a wrong _aws'],
  ['a metric without its dimension', { ...line, _aws: metrics, SweepDone: 1 }, 'has a wrong _aws'],
])('says of a line with %s what is wrong', (_, fields, problem) => {
  expect(kindOfLine(fields === undefined ? 'oh no' : JSON.stringify(fields))).toEqual({ problem });
});

/** As API Gateway fills the standard fields in: https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html */
const access = {
  requestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
  ...{ ip: '127.0.0.1', user: '-', caller: '-', requestTime: '09/Nov/2026:12:34:56 +0000' },
  ...{ httpMethod: 'GET', resourcePath: '/v1/chains', status: '200', protocol: 'HTTP/1.1' },
  responseLength: '203',
};

test('takes an access log line with the standard fields, and says what another lacks', () => {
  expect(accessLineProblem(JSON.stringify(access))).toBeUndefined();
  const { ip: _, ...rest } = access;
  expect(accessLineProblem(JSON.stringify(rest))).toBe('lacks ip');
  expect(accessLineProblem(JSON.stringify({ ...access, status: '-' }))).toBe('has the status -');
  expect(accessLineProblem('127.0.0.1 - - [09/Nov/2026:12:34:56 +0000]')).toBe('is not JSON');
});

test('finds secrets by their names, and not those that nobody knows', () => {
  const secrets = { 'the API key': 'imp_test_1', 'an RPC URL': '', 'the content': 'marker' };
  expect(secretsIn('a line with imp_test_1 in it', secrets)).toEqual(['the API key']);
  expect(secretsIn('a line', secrets)).toEqual([]);
});
