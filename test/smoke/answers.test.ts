import {
  ContinuousBackupsUnavailableException,
  ResourceInUseException,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { isGone, isReached, unlessTooEarly } from './place/point-in-time.ts';
import { findingsOf } from './steps/doctor.ts';
import { isOfFunction } from './steps/logs.ts';
import { alarmProblems, sumsOf } from './steps/metrics.ts';
import { machineOf, nextRunOf } from './steps/redrive.ts';

/** As GetMetricData answers: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html */
const metricData = {
  MetricDataResults: [
    {
      ...{ Id: 'm0', Label: 'SweepDone', StatusCode: 'Complete' as const },
      Timestamps: [new Date('2026-01-01T00:05:00Z'), new Date('2026-01-01T00:00:00Z')],
      Values: [5, 2],
    },
    { Id: 'm1', Label: 'Unauthenticated', StatusCode: 'Complete' as const, Timestamps: [], Values: [] },
  ],
  Messages: [],
};

test('adds up the metrics of an answer by name; one without values is 0', () => {
  expect(sumsOf(metricData)).toEqual(
    new Map([
      ['SweepDone', 7],
      ['Unauthenticated', 0],
    ]),
  );
});

/** As DescribeAlarms answers: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricAlarm.html */
const alarms = (sweep: 'OK' | 'ALARM', strangers: 'ALARM' | 'INSUFFICIENT_DATA') => [
  { AlarmName: 'Imprimatur-Smoke-AlarmsSweepSilentF8DFD659-X1', StateValue: sweep },
  { AlarmName: 'Imprimatur-Smoke-AlarmsUnauthenticated32C7F1B7-Y2', StateValue: strangers },
];

test('expects the heartbeat to be seen and the strangers to be told of', () => {
  expect(alarmProblems(alarms('OK', 'ALARM'))).toEqual([]);
  expect(alarmProblems(alarms('ALARM', 'INSUFFICIENT_DATA'))).toEqual([
    'SweepSilent is ALARM, and the sweep runs',
    'Unauthenticated is INSUFFICIENT_DATA',
  ]);
});

test('a table can be restored to a moment once its latest time is as late', () => {
  const moment = new Date('2026-01-01T00:00:00Z');
  expect(isReached(moment, undefined)).toBe(false);
  expect(isReached(moment, new Date('2025-12-31T23:59:59Z'))).toBe(false);
  expect(isReached(moment, moment)).toBe(true);
});

const said = { message: '', $metadata: {} };
const failing = (error: Error) => () => Promise.reject(error);

test('what DynamoDB does not know yet is asked again, and what it refuses is not', async () => {
  const early = [new ResourceNotFoundException(said), new ContinuousBackupsUnavailableException(said)];
  for (const error of early) expect(await unlessTooEarly(failing(error))).toBe(false);
  expect(await unlessTooEarly(async () => true)).toBe(true);
  await expect(unlessTooEarly(failing(new Error('denied')))).rejects.toThrow('denied');
});

test('a table is gone once nobody knows it, and not while it is being made or deleted', async () => {
  expect(await isGone(async () => undefined)).toBe(false);
  expect(await isGone(failing(new ResourceInUseException(said)))).toBe(false);
  expect(await isGone(failing(new ResourceNotFoundException(said)))).toBe(true);
  await expect(isGone(failing(new Error('denied')))).rejects.toThrow('denied');
});

test('executions are listed by the machine, whose alias the stack names', () => {
  const machine = 'arn:aws:states:eu-central-1:444455556666:stateMachine:Imprimatur-Smoke-attest';
  expect(machineOf(`${machine}:live`)).toBe(machine);
  expect(machineOf(machine)).toBe(machine);
  expect(nextRunOf('arn:…:Imprimatur-Smoke-attest:0198-1a2b9-9')).toBe(
    'arn:…:Imprimatur-Smoke-attest:0198-1a2b9-10',
  );
});

test("reads the findings of all sections of doctor's report", () => {
  const finding = { check: 'stack', state: 'ok', says: 'UPDATE_COMPLETE' };
  expect(findingsOf({ sections: [{ findings: [finding] }, { findings: [] }] })).toEqual([finding]);
});

test('tells the log groups of functions from those of the API and of the state machines', () => {
  const functions = [
    'ApiListChainsLog98A9E67B',
    'WorkflowSweepLog4A34BA2A',
    'WebhooksSendDeliveriesLog4424056C',
  ];
  const others = ['ApiLog1866DE64', 'WorkflowAttestLogB7FA55B3', 'WorkflowLaneLogC8E29F2F'];
  expect([...functions, ...others].filter(isOfFunction)).toEqual(functions);
});
