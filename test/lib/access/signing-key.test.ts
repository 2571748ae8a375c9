import type { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { functionAccess } from '../../../lib/access/function-access.ts';
import { referenceOf, synthesize } from '../synthesize.ts';

interface KeyStatement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Principal: { readonly AWS: unknown };
  readonly Resource: string;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

function keyOf(template: Template) {
  const [key] = Object.values(template.findResources('AWS::KMS::Key'));
  const statements: KeyStatement[] = key?.Properties.KeyPolicy.Statement;
  const statement = (sid: string) => statements.find(({ Sid }) => Sid === sid);
  return { properties: key?.Properties, statements, statement };
}

const template = synthesize();
const { statements, statement } = keyOf(template);

/** Construct ids of the functions whose roles the value names. */
const functionsOf = (roles: unknown) =>
  [roles].flat().map((role) => referenceOf(role).match(/^Workflow(\w+)ServiceRole/)?.[1]);

const signers = Object.entries(functionAccess)
  .filter(([, access]) => 'signingKey' in access && access.signingKey === 'sign')
  .map(([file]) => file);

test('the key policy grants `kms:Sign` to the functions that dispatch a lane', () => {
  expect(signers).toEqual(['workflow/commit', 'workflow/reveal', 'workflow/advance-lane']);
  const allowing = statements.filter(
    ({ Effect, Action }) => Effect === 'Allow' && Action.includes('kms:Sign'),
  );
  const roles = allowing.flatMap(({ Principal }) => functionsOf(Principal.AWS)).sort();
  expect(roles).toEqual(['AdvanceLane', 'Commit', 'Reveal']);
  for (const { Action, Condition } of allowing)
    expect([Action, Condition]).toEqual([['kms:GetPublicKey', 'kms:Sign'], undefined]);
});

test('the key policy denies signing to everybody else, even if other policies allow it', () => {
  const denial = statement('OnlyTheseRolesSign');
  expect(denial).toMatchObject({
    Effect: 'Deny',
    Action: 'kms:Sign',
    Principal: { AWS: '*' },
    Resource: '*',
  });
  expect(Object.keys(denial?.Condition ?? {})).toEqual(['ArnNotLike']);
  const { 'aws:PrincipalArn': roles, ...more } = denial?.Condition?.ArnNotLike ?? {};
  expect(more).toEqual({});
  expect(functionsOf(roles)).toEqual(['Commit', 'Reveal', 'AdvanceLane']);
});

test('the key policy denies other algorithms, and input other than digests', () => {
  const common = { Effect: 'Deny', Action: 'kms:Sign', Principal: { AWS: '*' }, Resource: '*' };
  expect(statement('OnlyThisAlgorithm')).toEqual({
    ...{ Sid: 'OnlyThisAlgorithm', ...common },
    Condition: { StringNotEquals: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' } },
  });
  expect(statement('OnlyDigests')).toEqual({
    ...{ Sid: 'OnlyDigests', ...common },
    Condition: { StringNotEquals: { 'kms:MessageType': 'DIGEST' } },
  });
});

test("the key policy lets the account's identity policies manage the key, and denies only signing", () => {
  expect(statements[0]).toMatchObject({ Effect: 'Allow', Action: 'kms:*', Resource: '*' });
  expect(JSON.stringify(statements[0]?.Principal)).toContain(':root"');
  expect(statements[0]?.Condition).toBeUndefined();
  const denied = statements.filter(({ Effect }) => Effect === 'Deny').map(({ Action }) => Action);
  expect(denied).toEqual(['kms:Sign', 'kms:Sign', 'kms:Sign']);
});

test('the key policy contains no key ARN, so that other keys can use it', () => {
  expect(statements.map(({ Resource }) => Resource).filter((resource) => resource !== '*')).toEqual([]);
});

test('the key has one Region by default, and is retained when the stack is deleted', () => {
  const [key] = Object.values(template.findResources('AWS::KMS::Key'));
  expect(key).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
  const { MultiRegion, KeySpec, KeyUsage } = keyOf(template).properties;
  expect([MultiRegion, KeySpec, KeyUsage]).toEqual([false, 'ECC_SECG_P256K1', 'SIGN_VERIFY']);
  template.hasResourceProperties('AWS::KMS::Alias', { AliasName: 'alias/Imprimatur/signing' });
  expect(keyOf(synthesize({ hosting: { multiRegionKey: true } })).properties.MultiRegion).toBe(true);
});

test('the alarm topic is notified when a key is deleted, disabled or replicated, or its policy changes', () => {
  const [rule] = Object.values(template.findResources('AWS::Events::Rule')).filter(
    ({ Properties }) => 'EventPattern' in Properties,
  );
  const { EventPattern: pattern, Targets: targets, State: state } = rule?.Properties ?? {};
  expect(state).toBe('ENABLED');
  expect(pattern).toMatchObject({
    source: ['aws.kms'],
    'detail-type': ['AWS API Call via CloudTrail'],
    detail: {
      eventSource: ['kms.amazonaws.com'],
      eventName: ['ScheduleKeyDeletion', 'DisableKey', 'PutKeyPolicy', 'ReplicateKey'],
    },
  });
  // The rule applies to all keys, because `signer rotate` makes keys after the deployment.
  expect(pattern.detail).not.toHaveProperty('resources');
  expect(referenceOf(targets[0].Arn)).toMatch(/^AlarmsTopic/);
  // A policy of the topic would replace the default one, which lets CloudWatch publish.
  expect(template.findResources('AWS::SNS::TopicPolicy')).toEqual({});
});

test('on an emulator, the key policy names sessions and has no conditions on algorithm and message type', () => {
  const emulated = keyOf(synthesize({ emulator: 'ministack' }));
  expect(emulated.statements.map(({ Sid }) => Sid).filter(Boolean)).toEqual(['OnlyTheseRolesSign']);
  expect(JSON.stringify(emulated.statement('OnlyTheseRolesSign'))).toContain(':assumed-role/');
});
