import { Match } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { settings, synthesize } from '../synthesize.ts';

const template = synthesize();

test('keeps every table with the stack gone, and any second of the last weeks', () => {
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

test('finds what is due, and counts what is in flight, by sparse indexes of keys', () => {
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

test('forgets what has a time to be forgotten at: transactions of lanes, and the counts of days', () => {
  const forgetful = template.findResources('AWS::DynamoDB::Table', {
    Properties: { TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } },
  });
  expect(Object.keys(forgetful).sort()).toEqual([
    expect.stringMatching(/^TablesAttestations/),
    expect.stringMatching(/^TablesLanes/),
    expect.stringMatching(/^TablesWebhooks/),
  ]);
});

test('signs with a secp256k1 key that outlives the stack', () => {
  template.hasResource('AWS::KMS::Key', {
    DeletionPolicy: 'RetainExceptOnCreate',
    Properties: { KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' },
  });
  template.hasResourceProperties('AWS::KMS::Alias', { AliasName: 'alias/Imprimatur/signing' });
});

test('names its outputs as the tools read them', () => {
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

test('keeps the settings where the tools read them', () => {
  template.hasResourceProperties('AWS::SSM::Parameter', {
    Name: '/Imprimatur/settings',
    Value: JSON.stringify(settings),
  });
});
