import { Match } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { settingsSchema } from '../../../functions/domain/settings.ts';
import { environmentSchema } from '../../../lib/environment/environment.ts';
import { environments, referenceOf, settings, statementsOf, synthesize } from '../synthesize.ts';

const template = synthesize();

const mappingOf = (id: string, of = template) => {
  const mappings = Object.entries(of.findResources('AWS::Lambda::EventSourceMapping'));
  const [, found] = mappings.find(([logicalId]) => logicalId.includes(id)) ?? [];
  return found?.Properties;
};

const patternsOf = (id: string) =>
  mappingOf(id).FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => JSON.parse(Pattern));

test('QueueDeliveries reads from the oldest record, and retries for at most 20 hours', () => {
  const mapping = mappingOf('QueueDeliveries');
  expect(mapping).toMatchObject({
    StartingPosition: 'TRIM_HORIZON',
    BisectBatchOnFunctionError: true,
    MaximumRecordAgeInSeconds: 20 * 3600,
  });
  expect(referenceOf(mapping.EventSourceArn)).toMatch(/^TablesAttestations/);
  expect(referenceOf(mapping.FunctionName)).toMatch(/^WebhooksQueueDeliveriesAliaslive/);
  // No maximum number of retries: a failed record is retried until it has that age.
  expect(mapping.MaximumRetryAttempts).toBeUndefined();
});

test('QueueDeliveries is invoked only for writes that end an attestation or a link', () => {
  const ended = { status: { S: ['confirmed', 'failed'] } };
  expect(patternsOf('QueueDeliveries')).toEqual([
    { dynamodb: { OldImage: { status: { S: ['pending', 'committed'] } }, NewImage: ended } },
    { eventName: ['INSERT'], dynamodb: { NewImage: { status: { S: ['confirmed'] } } } },
    {
      dynamodb: {
        OldImage: { linkPhase: { S: ['queued', 'mined'] } },
        NewImage: { linkPhase: { S: ['final'] } },
      },
    },
  ]);
});

test('SendDeliveries is invoked for new deliveries and once a minute', () => {
  expect(referenceOf(mappingOf('SendDeliveries').EventSourceArn)).toMatch(/^TablesWebhooks/);
  expect(patternsOf('SendDeliveries')).toEqual([
    { eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: 'due#' }] } } } },
  ]);
  template.hasResourceProperties('AWS::Events::Rule', {
    ScheduleExpression: 'rate(1 minute)',
    Targets: [
      Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^WebhooksSendDeliveries'), 'Arn'] } }),
    ],
  });
});

test("the attestations' stream has both images, the webhooks' stream only keys", () => {
  const views = Object.entries(template.findResources('AWS::DynamoDB::Table')).flatMap(
    ([id, { Properties }]) =>
      Properties.StreamSpecification
        ? [[id.slice('Tables'.length, -8), Properties.StreamSpecification.StreamViewType]]
        : [],
  );
  expect(Object.fromEntries(views)).toEqual({ Attestations: 'NEW_AND_OLD_IMAGES', Webhooks: 'KEYS_ONLY' });
});

test('each function can read only its own stream', () => {
  for (const [id, table] of [
    ['QueueDeliveries', 'TablesAttestations'],
    ['SendDeliveries', 'TablesWebhooks'],
  ] as const) {
    const streams = statementsOf(template, id).filter(({ actions }) =>
      actions.some((action) => /Stream|GetRecords|Shard/.test(action)),
    );
    expect(streams.map(({ actions, resources }) => [...actions, referenceOf(resources)])).toEqual([
      [
        ...['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
        expect.stringContaining(table),
      ],
      ['dynamodb:ListStreams', '*'],
    ]);
  }
});

test('with existing tables, QueueDeliveries reads the stream that the settings name', () => {
  const tables = { attestations: 'abc', lanes: 'lll', queue: 'qqq', organizations: 'ooo' };
  const attestationsStream =
    'arn:aws:dynamodb:eu-west-1:111122223333:table/abc/stream/2026-11-23T00:00:00.000';
  const streaming = synthesize({ existing: { tables: { ...tables, webhooks: 'www', attestationsStream } } });
  streaming.resourceCountIs('AWS::DynamoDB::Table', 0);
  expect(mappingOf('QueueDeliveries', streaming).EventSourceArn).toBe(attestationsStream);
  // Without a stream of its table, sending is left to the schedule.
  expect(mappingOf('SendDeliveries', streaming)).toBeUndefined();
  expect(mappingOf('QueueDeliveries', synthesize({ existing: { tables } }))).toBeUndefined();
});

test('an existing table of webhooks can be used without other existing tables', () => {
  const again = synthesize({ existing: { tables: { webhooks: 'www' } } });
  again.resourceCountIs('AWS::DynamoDB::Table', 4);
  expect(environments(again).SendDeliveries).toMatchObject({ WEBHOOKS_TABLE: 'www' });
  expect(referenceOf(mappingOf('QueueDeliveries', again).EventSourceArn)).toMatch(/^TablesAttestations/);
});

const four = { attestations: 'aaa', lanes: 'lll', queue: 'qqq', organizations: 'ooo' };

test.each([
  [
    { attestations: 'aaa', webhooks: 'www' },
    'must name attestations, lanes, queue and organizations, or none',
  ],
  [{ ...four, queue: undefined }, 'must name attestations, lanes, queue and organizations, or none'],
  [
    { webhooks: 'www', attestationsStream: 'arn:aws:dynamodb:eu-west-1:111122223333:table/a/stream/b' },
    'must name attestations if they name attestationsStream',
  ],
])('existing tables are rejected: %j', (tables, reason) => {
  const { error } = settingsSchema.safeParse({ chains: settings.chains, existing: { tables } });
  expect(error?.issues).toEqual([
    expect.objectContaining({ path: ['existing', 'tables'], message: expect.stringContaining(reason) }),
  ]);
});

test('SendDeliveries has enough threads for concurrent DNS lookups', () => {
  expect(environments(template).SendDeliveries).toMatchObject({ UV_THREADPOOL_SIZE: '64' });
});

test('no environment allows webhooks on loopback', () => {
  const environment = (more: object) => ({
    ...{ account: '111122223333', region: 'eu-west-1', recommendedDelegate: 'key' },
    settings: { chains: settings.chains, ...more },
  });
  expect(environmentSchema.safeParse(environment({})).success).toBe(true);
  expect(environmentSchema.safeParse(environment({ loopbackWebhooks: true })).error?.issues).toEqual([
    expect.objectContaining({
      path: ['settings', 'loopbackWebhooks'],
      message: 'is only for emulators: functions would post to their own host',
    }),
  ]);
  expect(() => synthesize({ loopbackWebhooks: true })).toThrow('loopbackWebhooks is for emulators');
  expect(() => synthesize({ loopbackWebhooks: true, emulator: 'ministack' })).not.toThrow();
});
