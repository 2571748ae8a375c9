import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { messageOf } from '../../../functions/domain/log-lines.ts';
import { lineAlarms } from '../../../lib/watch/alarm-rules.ts';
import { environments, synthesize } from '../synthesize.ts';

const template = synthesize();
const alarms = Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(
  ([id, { Properties }]) => ({ name: id.slice('Alarms'.length, -8), ...Properties }),
);
const runbook = readFileSync('docs/runbook.md', 'utf8');
const anchors = [...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
  heading.toLowerCase().replaceAll(' ', '-'),
);

describe.each(alarms)('$name', ({ AlarmDescription: description, ...alarm }) => {
  test("has the runbook's first sentences and a link as its description", () => {
    expect(description).toMatch(/^[^[\]\n]{80,}\. Then: docs\/runbook\.md#\w+$/);
    // CloudWatch's maximum.
    expect(description.length).toBeLessThanOrEqual(1_024);
    expect(anchors).toContain(description.split('runbook.md#')[1]);
  });

  test('notifies the topic when it fires and when it ends', () => {
    const [topic, ...others] = Object.keys(template.findResources('AWS::SNS::Topic'));
    expect(others).toEqual([]);
    expect([alarm.AlarmActions, alarm.OKActions]).toEqual([[{ Ref: topic }], [{ Ref: topic }]]);
    template.hasOutput('AlarmTopicArn', { Value: { Ref: topic } });
  });

  test('has no more metrics than CloudWatch allows', () => {
    expect(
      (alarm.Metrics ?? []).filter((metric: object) => 'MetricStat' in metric).length,
    ).toBeLessThanOrEqual(10);
  });
});

test('only SweepSilent treats missing data as breaching, and gauges ignore it', () => {
  const treated = (how: string) =>
    alarms.filter(({ TreatMissingData }) => TreatMissingData === how).map(({ name }) => name);
  expect(treated('breaching')).toEqual(['SweepSilent']);
  expect(treated('ignore')).toEqual(['FundsLow31337', 'QueueOld31337']);
  expect(treated('notBreaching')).toHaveLength(alarms.length - 3);
});

test('an alarm on a log line that repeats every ten minutes fires without interruption', () => {
  for (const MetricName of ['HeadStale', 'AttestationUnfinished']) {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName,
      ...{ Period: 300, EvaluationPeriods: 3, DatapointsToAlarm: 1, Threshold: 1 },
    });
  }
});

test('each stack has its own metrics namespace', () => {
  const other = synthesize({ stackName: 'Other' });
  for (const { POWERTOOLS_METRICS_NAMESPACE } of Object.values(environments(other)))
    expect(POWERTOOLS_METRICS_NAMESPACE).toBe('Imprimatur/Other');
  const ours = Object.values(other.findResources('AWS::CloudWatch::Alarm'))
    .map(({ Properties }) => String(Properties.Namespace))
    .filter((namespace) => namespace.startsWith('Imprimatur'));
  expect(new Set(ours)).toEqual(new Set(['Imprimatur/Other']));
});

test("the dashboard has the stack's name and every alarm", () => {
  template.resourceCountIs('AWS::CloudWatch::Dashboard', 1);
  template.hasResourceProperties('AWS::CloudWatch::Dashboard', { DashboardName: 'Imprimatur' });
  const [dashboard] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'));
  const body = JSON.stringify(dashboard?.Properties.DashboardBody);
  for (const id of Object.keys(template.findResources('AWS::CloudWatch::Alarm'))) expect(body).toContain(id);
});

test('the throttle alarms cover every table and both indexes', () => {
  for (const [name, metric] of [
    ['TableReadsThrottled', 'ReadThrottleEvents'],
    ['TableWritesThrottled', 'WriteThrottleEvents'],
  ]) {
    const { Metrics = [] } = alarms.find((alarm) => alarm.name === name) ?? {};
    const watched = JSON.stringify(Metrics);
    expect(watched.match(new RegExp(`"${metric}"`, 'g'))).toHaveLength(7);
    for (const index of ['due', 'inFlight']) expect(watched).toContain(`"${index}"`);
  }
});

test("QueueDeliveriesLate fires long before the stream's records expire", () => {
  const [id] = Object.keys(template.findResources('AWS::Lambda::Function')).filter((one) =>
    one.includes('QueueDeliveries'),
  );
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    ...{ Namespace: 'AWS/Lambda', MetricName: 'IteratorAge', Statistic: 'Maximum' },
    Dimensions: [{ Name: 'FunctionName', Value: { Ref: id } }],
    ...{ Threshold: 1_800_000, Period: 300, EvaluationPeriods: 3, DatapointsToAlarm: 1 },
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
  });
  const [maxRecordAge] = Object.values(template.findResources('AWS::Lambda::EventSourceMapping')).flatMap(
    ({ Properties }) => Properties.MaximumRecordAgeInSeconds ?? [],
  );
  expect(maxRecordAge).toBe(20 * 3_600);
});

test('a stack on an emulator lacks only the alarms on sums of metrics', () => {
  const onEmulators = Object.keys(
    synthesize({ emulator: 'ministack' }).findResources('AWS::CloudWatch::Alarm'),
  );
  const left = alarms.map(({ name }) => name).filter((name) => !onEmulators.join().includes(`Alarms${name}`));
  expect(left.sort()).toEqual([
    ...['ApiThrottled', 'ExecutionsThrottled', 'TableReadsThrottled', 'TableWritesThrottled'],
    'WorkflowThrottled',
  ]);
});

test('the throttle alarms cover every function except Unrouted', () => {
  const watched = JSON.stringify(alarms.filter(({ name }) => /^(Api|Workflow)Throttled$/.test(name)));
  for (const id of Object.keys(template.findResources('AWS::Lambda::Function')))
    expect(id.includes('Unrouted') || watched.includes(`"${id}"`) ? [] : [id]).toEqual([]);
});

test('the runbook quotes each log line that has an alarm', () => {
  for (const name of Object.keys(lineAlarms)) {
    const section = runbook.split(`\n### ${name}\n`)[1]?.split('\n### ')[0] ?? '';
    expect([name, section]).toEqual([
      name,
      expect.stringContaining(`"${messageOf(name as keyof typeof lineAlarms)}"`),
    ]);
  }
});
