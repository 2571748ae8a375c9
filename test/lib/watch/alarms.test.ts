import { readdirSync, readFileSync } from 'node:fs';
import { Match } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { laneLines } from '../../../lib/watch/lane-lines.ts';
import { referenceOf, synthesize } from '../synthesize.ts';

const template = synthesize();
const alarms = Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(
  (found) => found.Properties,
);
const filters = Object.values(template.findResources('AWS::Logs::MetricFilter')).map(
  (found) => found.Properties,
);

/** `{ $.message = "lane paused" }` → `lane paused`. */
const messageOf = (pattern: string): string =>
  /^\{ \$\.message = "([^"]+)" \}$/.exec(pattern)?.[1] ?? pattern;
const messages = [...new Set(filters.map(({ FilterPattern }) => messageOf(FilterPattern)))].sort();

/** The functions whose logs are searched for the message. */
const watchedFor = (message: string): string[] =>
  filters
    .filter(({ FilterPattern }) => messageOf(FilterPattern) === message)
    .map(({ LogGroupName }) => referenceOf(LogGroupName).slice(0, -8))
    .sort();

const ofOrganizations = 'organisation near its fee budget';

test('says with every alarm why it matters', () => {
  expect(alarms.map(({ AlarmDescription }) => AlarmDescription)).toEqual(
    Array.from({ length: 21 }, () => expect.stringMatching(/: .{20}/)),
  );
});

test('notifies with every alarm one topic, whose address is an output', () => {
  const [topic, ...others] = Object.keys(template.findResources('AWS::SNS::Topic'));
  expect(others).toEqual([]);
  for (const { AlarmActions } of alarms) expect(AlarmActions).toEqual([{ Ref: topic }]);
  template.hasOutput('AlarmTopicArn', { Value: { Ref: topic } });
});

test('lets CloudWatch publish by the default policy of the topic', () => {
  template.resourceCountIs('AWS::SNS::TopicPolicy', 0);
});

test('watches the logs of all that dispatch, and of the sweep, for what stops a lane', () => {
  expect(messages).toEqual([
    'attestation unfinished for long',
    'fee cap reached',
    'head stale',
    'lane near its fee budget',
    'lane paused',
    'lane short of means',
    'nonce mined without receipt',
    'operation not served',
    ofOrganizations,
    'pump interrupted',
    'queued operation unreadable',
    'reorganisation deeper than confirmations',
    'transaction may not have been sent',
    'transaction overdue, cancelling',
    'transaction refused',
    'transaction unmined for long',
  ]);
  for (const message of messages.filter((one) => one !== ofOrganizations)) {
    expect(watchedFor(message)).toEqual([
      'WorkflowAdvanceLaneLog',
      'WorkflowCommitLog',
      'WorkflowRevealLog',
      'WorkflowSweepLog',
    ]);
  }
});

test('watches the logs of both that accept work for an organisation near its fee budget', () => {
  expect(watchedFor(ofOrganizations)).toEqual(['ApiCreateAttestationLog', 'ApiLinkChildLog']);
});

test('alarms on the very metric that each filter counts into', () => {
  const counted = filters.map(({ MetricTransformations: [{ MetricNamespace, MetricName }] }) =>
    [MetricNamespace, MetricName].join(' '),
  );
  const alarmed = alarms
    .map(({ Namespace, MetricName }) => [Namespace, MetricName].join(' '))
    .filter((name) => name.startsWith('Imprimatur/'));
  expect(alarmed.sort()).toEqual([...new Set(counted)].sort());
  expect(alarmed).toHaveLength(16);
});

test('stays up between lines that come every ten minutes', () => {
  for (const name of ['HeadStale', 'AttestationUnfinished']) {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: Match.stringLikeRegexp(`${name}Lines`),
      ...{ Period: 300, EvaluationPeriods: 3, DatapointsToAlarm: 1, Threshold: 1 },
    });
  }
});

test('counts the lines of two stacks apart', () => {
  const other = Object.values(synthesize({ stackName: 'Other' }).findResources('AWS::Logs::MetricFilter'));
  const namespaces = other.map(({ Properties }) => Properties.MetricTransformations[0].MetricNamespace);
  expect(new Set(namespaces)).toEqual(new Set(['Imprimatur/Other']));
});

test('waits for lines that the code writes', () => {
  const files = readdirSync('functions/domain', { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(`functions/domain/${file}`, 'utf8'));
  for (const message of messages)
    expect(sources.some((source) => source.includes(`'${message}'`)) ? [] : [message]).toEqual([]);
});

test('docs/operations.md has each line that alarms, to be searched for as it is logged', () => {
  const runbook = readFileSync('docs/operations.md', 'utf8');
  for (const [name, { message }] of Object.entries(laneLines)) {
    expect(runbook).toContain(`\`${name}\``);
    expect(runbook).toContain(`\`${message}\``);
  }
  for (const name of ['OrganizationNearBudget', ofOrganizations]) expect(runbook).toContain(`\`${name}\``);
});
