import { Match } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { environments, statementsOf, synthesize } from '../synthesize.ts';

const template = synthesize();

test('every table is retained and has point-in-time recovery', () => {
  const tables = Object.values(template.findResources('AWS::DynamoDB::Table'));
  expect(tables).toHaveLength(5);
  for (const { Properties, DeletionPolicy } of tables) {
    expect(DeletionPolicy).toBe('RetainExceptOnCreate');
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true },
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    });
  }
});

test('the indexes `due` and `inFlight` contain only keys', () => {
  const [table] = Object.values(
    template.findResources('AWS::DynamoDB::Table', {
      Properties: { GlobalSecondaryIndexes: Match.anyValue() },
    }),
  );
  const hash = (AttributeName: string) => ({ AttributeName, KeyType: 'HASH' });
  const keysOnly = { Projection: { ProjectionType: 'KEYS_ONLY' } };
  expect(table?.Properties.GlobalSecondaryIndexes).toEqual([
    {
      ...{ IndexName: 'due', ...keysOnly },
      KeySchema: [hash('sweep'), { AttributeName: 'checkAt', KeyType: 'RANGE' }],
    },
    { IndexName: 'inFlight', KeySchema: [hash('inFlight')], ...keysOnly },
  ]);
});

test('tables with expiring items have a time to live', () => {
  const expiring = template.findResources('AWS::DynamoDB::Table', {
    Properties: { TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } },
  });
  expect(Object.keys(expiring).sort()).toEqual([
    expect.stringMatching(/^TablesAttestations/),
    expect.stringMatching(/^TablesLanes/),
    expect.stringMatching(/^TablesWebhooks/),
  ]);
});

test('the outputs have the names that the tools read', () => {
  const names = Object.keys(template.findOutputs('*'));
  expect(names.sort()).toEqual([
    'AlarmTopicArn',
    'ApiUrl',
    'AttestStateMachineArn',
    'AttestationsTable',
    'LaneStateMachineArn',
    'LanesTable',
    'OrganizationsTable',
    'QueueTable',
    'RpcUrlsPath',
    'SettingsParameter',
    'SigningKeyId',
    'WebhooksTable',
  ]);
  template.hasOutput('RpcUrlsPath', { Value: '/Imprimatur/rpc-urls' });
  template.hasOutput('ApiUrl', { Value: { 'Fn::Join': ['', Match.arrayWith(['https://'])] } });
});

const tables = {
  attestations: 'a-restored',
  lanes: 'l-restored',
  queue: 'q-restored',
  organizations: 'o-restored',
};
const signingKeyArn = 'arn:aws:kms:eu-west-1:111122223333:key/mrk-0123456789abcdef';
const taken = synthesize({ existing: { tables, signingKeyArn } });

test('a stack with existing tables creates only the table of webhooks', () => {
  const made = Object.keys(taken.findResources('AWS::DynamoDB::Table'));
  expect(made).toEqual([expect.stringMatching(/^TablesWebhooks/)]);
  taken.resourceCountIs('AWS::KMS::Key', 0);
});

test('environment variables and outputs contain the names of the existing resources', () => {
  const { Commit, Sweep } = environments(taken);
  expect(Commit).toMatchObject({
    ...{ ATTESTATIONS_TABLE: 'a-restored', LANES_TABLE: 'l-restored', QUEUE_TABLE: 'q-restored' },
    SIGNING_KEY_ID: 'mrk-0123456789abcdef',
  });
  expect(Sweep).toMatchObject({ ATTESTATIONS_TABLE: 'a-restored' });
  taken.hasOutput('OrganizationsTable', { Value: 'o-restored' });
  taken.hasOutput('SigningKeyId', { Value: 'mrk-0123456789abcdef' });
});

test('functions can use only the existing tables and their indexes', () => {
  const statements = statementsOf(taken, 'Sweep').filter(({ actions }) =>
    actions.some((action) => action.startsWith('dynamodb:')),
  );
  const resources = JSON.stringify(statements.flatMap((statement) => statement.resources));
  for (const name of [
    ':table/a-restored"',
    ':table/a-restored/index/due"',
    ':table/l-restored"',
    ':table/q-restored"',
  ])
    expect(resources).toContain(name);
});

test('a parameter contains the policy that lets the roles sign with the existing key', () => {
  const parameters = taken.findResources('AWS::SSM::Parameter', {
    Properties: { Name: '/Imprimatur/signing-key-policy' },
  });
  const [parameter] = Object.values(parameters);
  const parts: unknown[] = parameter?.Properties.Value['Fn::Join'][1];
  const text = parts
    .map((part) => (typeof part === 'string' ? part : 'arn:aws:iam::111122223333:role/x'))
    .join('');
  const policy: { Statement: { Sid?: string; Effect: string; Principal: unknown; Condition?: object }[] } =
    JSON.parse(text);
  expect(policy.Statement.map(({ Sid, Effect }) => Sid ?? Effect).sort()).toEqual([
    ...['Allow', 'Allow', 'OnlyDigests', 'OnlyTheseRolesSign', 'OnlyThisAlgorithm'],
  ]);
  const roles = JSON.stringify(parts.filter((part) => typeof part !== 'string'));
  for (const name of ['Commit', 'Reveal', 'AdvanceLane'])
    expect(roles).toContain(`Workflow${name}ServiceRole`);
  // A standard parameter's limit. Each of three roles occurs twice, with at most 100 letters.
  expect(text.length + 6 * 100).toBeLessThan(4096);
});
