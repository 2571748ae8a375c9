import { Match } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { settings, synthesize } from './synthesize.ts';

const template = synthesize();

test('keeps every table with the stack gone, and any second of the last weeks', () => {
  const tables = Object.values(template.findResources('AWS::DynamoDB::Table'));
  expect(tables).toHaveLength(3);
  for (const { Properties, DeletionPolicy } of tables) {
    expect(DeletionPolicy).toBe('Retain');
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

test('lets the sweep find what is due by a sparse index of keys', () => {
  template.hasResourceProperties('AWS::DynamoDB::Table', {
    GlobalSecondaryIndexes: [
      {
        IndexName: 'due',
        KeySchema: [
          { AttributeName: 'sweep', KeyType: 'HASH' },
          { AttributeName: 'checkAt', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  });
});

test('lets only the lanes forget', () => {
  const forgetful = template.findResources('AWS::DynamoDB::Table', {
    Properties: { TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } },
  });
  expect(Object.keys(forgetful)).toEqual([expect.stringMatching(/^TablesLanes/)]);
});

test('signs with a secp256k1 key that outlives the stack', () => {
  template.hasResource('AWS::KMS::Key', {
    DeletionPolicy: 'Retain',
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
    'RpcUrlsPath',
    'SettingsParameter',
    'SigningKeyId',
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
