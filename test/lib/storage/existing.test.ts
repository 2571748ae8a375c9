import { expect, test } from 'vitest';
import { settingsSchema } from '../../../functions/domain/settings.ts';
import { environments, settings, statementsOf, synthesize } from '../synthesize.ts';

const tables = {
  attestations: 'a-restored',
  lanes: 'l-restored',
  queue: 'q-restored',
  organizations: 'o-restored',
};
const signingKeyArn = 'arn:aws:kms:eu-west-1:111122223333:key/mrk-0123456789abcdef';
const template = synthesize({ existing: { tables, signingKeyArn } });

test('makes no table and no key of its own, but the table of webhooks', () => {
  const made = Object.keys(template.findResources('AWS::DynamoDB::Table'));
  expect(made).toEqual([expect.stringMatching(/^TablesWebhooks/)]);
  template.resourceCountIs('AWS::KMS::Key', 0);
});

test('functions and outputs name what exists', () => {
  const { Commit, Sweep } = environments(template);
  expect(Commit).toMatchObject({
    ...{ ATTESTATIONS_TABLE: 'a-restored', LANES_TABLE: 'l-restored', QUEUE_TABLE: 'q-restored' },
    SIGNING_KEY_ID: 'mrk-0123456789abcdef',
  });
  expect(Sweep).toMatchObject({ ATTESTATIONS_TABLE: 'a-restored' });
  template.hasOutput('OrganizationsTable', { Value: 'o-restored' });
  template.hasOutput('SigningKeyId', { Value: 'mrk-0123456789abcdef' });
});

test('functions may use the tables that exist, their indexes too, and no other', () => {
  const statements = statementsOf(template, 'Sweep').filter(({ actions }) =>
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

test('the policy that lets the roles sign with the existing key is in a parameter', () => {
  const parameters = template.findResources('AWS::SSM::Parameter', {
    Properties: { Name: '/Imprimatur/signing-key-policy' },
  });
  const [parameter] = Object.values(parameters);
  const parts: unknown[] = parameter?.Properties.Value['Fn::Join'][1];
  const text = parts
    .map((part) => (typeof part === 'string' ? part : 'arn:aws:iam::111122223333:role/x'))
    .join('');
  const policy: { Statement: { Sid?: string; Effect: string; Principal: unknown; Condition?: object }[] } =
    JSON.parse(text);
  expect(policy.Statement.map(({ Sid, Effect }) => Sid ?? Effect).sort()).toEqual(
    ['Allow', 'Allow', 'OnlyDigests', 'OnlyThesRolesSign', 'OnlyThisAlgorithm'].map((sid) =>
      sid.replace('Thes', 'These'),
    ),
  );
  const roles = JSON.stringify(parts.filter((part) => typeof part !== 'string'));
  for (const name of ['Commit', 'Reveal', 'AdvanceLane'])
    expect(roles).toContain(`Workflow${name}ServiceRole`);
  // A standard parameter's limit; each of three roles stands in it twice, with at most 100 letters.
  expect(text.length + 6 * 100).toBeLessThan(4096);
});

test('all four tables exist or none, and the key is named by its ARN', () => {
  const issues = (existing: object) => {
    const [chain] = settings.chains;
    const { chainId, name, registryAddress } = chain ?? { chainId: 1, name: '', registryAddress: '0x' };
    return (
      settingsSchema.safeParse({ chains: [{ chainId, name, registryAddress }], existing }).error?.issues
        .length ?? 0
    );
  };
  expect(issues({ tables })).toBe(0);
  expect(issues({ tables: { ...tables, queue: undefined } })).toBe(1);
  expect(issues({ signingKeyArn: 'alias/Imprimatur/signing' })).toBe(1);
});
