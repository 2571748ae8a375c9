import type { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { signerAlias } from '../../../admin/deployment/signer-alias.ts';
import { contentCid } from '../../../functions/domain/attestation/content-cid.ts';
import { contentPart, metadataRecord } from '../../../functions/domain/attestation/content-records.ts';
import { contentKeys } from '../../../lib/access/operator-access.ts';
import { referenceOf, synthesize } from '../synthesize.ts';

const account = '111122223333';
const person = (name: string) => `arn:aws:iam::${account}:role/${name}`;
const access = {
  operators: [person('on-call')],
  custodians: [person('custodian'), `arn:aws:iam::${account}:root`],
  deployers: [person('pipeline')],
};
const template = synthesize({ hosting: { access } });

interface Statement {
  readonly Effect: string;
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: Record<string, Record<string, unknown>>;
}

/** Statements of a role by its id, and who may take it. */
function roleOf(id: string, of: Template = template) {
  const roles = Object.entries(of.findResources('AWS::IAM::Role'));
  const [logicalId, role] = roles.find(([one]) => one.startsWith(`Access${id}`)) ?? [];
  const policies = Object.values(of.findResources('AWS::IAM::Policy'));
  const statements = policies
    .filter(({ Properties }) => Properties.Roles.some((one: unknown) => referenceOf(one) === logicalId))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement as Statement[]);
  const trusted = role?.Properties.AssumeRolePolicyDocument.Statement.flatMap(
    ({ Principal }: { Principal: { AWS: unknown } }) => Principal.AWS,
  );
  return { statements, trusted };
}

const allowed = ({ statements }: ReturnType<typeof roleOf>) =>
  statements.filter(({ Effect }) => Effect === 'Allow');
const actionsOf = (statements: readonly Statement[]) => statements.flatMap(({ Action }) => Action).sort();

test('makes a role only for those who may take it', () => {
  for (const id of ['Operators', 'Custodians', 'Deployers'])
    expect(roleOf(id, synthesize()).statements).toEqual([]);
  expect(roleOf('Operators').trusted).toEqual([person('on-call')]);
  expect(roleOf('Custodians').trusted).toEqual(access.custodians);
  const outputs = Object.keys(template.toJSON().Outputs);
  for (const output of ['OperatorsRole', 'CustodiansRole', 'DeployersRole'])
    expect(outputs).toContain(output);
});

test('lets nobody sign, scan, run functions, answer tasks or change roles', () => {
  for (const id of ['Operators', 'Custodians', 'Deployers']) {
    const actions = actionsOf(allowed(roleOf(id)));
    expect(actions.length).toBeGreaterThan(0);
    expect(
      actions.filter((one) => /\*|kms:Sign|Scan|lambda:Invoke|SendTask|^iam:|Delete(Table|Stack)/.test(one)),
    ).toEqual([]);
  }
});

test('keeps contents from operators, and from no custodian', () => {
  const denials = (id: string) =>
    roleOf(id).statements.filter(
      ({ Effect, Condition }) => Effect === 'Deny' && JSON.stringify(Condition ?? '').includes('LeadingKeys'),
    );
  expect(denials('Operators')).toMatchObject([
    {
      Action: 'dynamodb:*',
      Condition: { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': contentKeys } },
    },
  ]);
  expect(denials('Custodians')).toEqual([]);
  // As IAM matches: a question mark is one character.
  const pattern = new RegExp(`^${contentKeys.replaceAll('?', '.').replaceAll('*', '.*')}$`);
  const organizationId = crypto.randomUUID();
  const cid = contentCid(`0x${'ab'.repeat(32)}`);
  expect(contentPart(organizationId, cid, 0).pk).toMatch(pattern);
  expect(metadataRecord({ organizationId, id: crypto.randomUUID() }).pk).not.toMatch(pattern);
});

test('lets custodians alone erase and make keys, of the kind that signs, and never change the own key', () => {
  const only = actionsOf(allowed(roleOf('Custodians'))).filter(
    (action) => !actionsOf(allowed(roleOf('Operators'))).includes(action),
  );
  expect(new Set(only)).toEqual(
    new Set(
      ['CreateAlias', 'CreateKey', 'GetKeyPolicy', 'PutKeyPolicy', 'ScheduleKeyDeletion'].map(
        (one) => `kms:${one}`,
      ),
    ),
  );
  const erasing = (id: string) =>
    allowed(roleOf(id)).filter(
      ({ Action, Resource }) =>
        Action.includes('dynamodb:DeleteItem') && referenceOf(Resource).startsWith('TablesAttestations'),
    ).length;
  expect([erasing('Operators'), erasing('Custodians')]).toEqual([0, 1]);
  const { statements } = roleOf('Custodians');
  const making = statements.filter(({ Action }) =>
    [Action].flat().some((one) => one.startsWith('kms:Create')),
  );
  const ofKind = { StringEquals: { 'kms:KeySpec': 'ECC_SECG_P256K1', 'kms:KeyUsage': 'SIGN_VERIFY' } };
  for (const { Resource, Condition } of making)
    if (JSON.stringify(Resource).includes('alias/'))
      expect(JSON.stringify(Resource)).toContain(`:${signerAlias('Imprimatur', 0).replace(/0$/, '*')}`);
    else expect(Condition).toEqual(ofKind);
  const denial = statements.find(({ Effect }) => Effect === 'Deny');
  expect([referenceOf(denial?.Resource), denial?.Action]).toEqual([
    expect.stringMatching(/^SigningKey/),
    ['kms:PutKeyPolicy', 'kms:ScheduleKeyDeletion'],
  ]);
});

test('writes what is not its own of parameters only for the RPC URLs and the changes', () => {
  const writes = allowed(roleOf('Operators')).filter(({ Action }) =>
    [Action].flat().includes('ssm:PutParameter'),
  );
  const resources = JSON.stringify(writes.flatMap(({ Resource }) => Resource));
  expect(resources.match(/parameter\/[^"]*/g)).toEqual([
    'parameter/Imprimatur/rpc-urls/*',
    'parameter/Imprimatur/settings-changes',
  ]);
});

test('has only wildcards with a condition, or for actions without a resource', () => {
  const everything = allowed(roleOf('Operators')).filter(({ Resource }) => Resource === '*');
  expect(actionsOf(everything)).toEqual([
    'lambda:GetAccountSettings',
    'servicequotas:ListServiceQuotas',
    'ssm:DescribeParameters',
  ]);
  const keys = allowed(roleOf('Operators')).filter(({ Resource }) =>
    /:key\/\*/.test(JSON.stringify(Resource)),
  );
  expect(keys.length).toBeGreaterThan(0);
  for (const { Condition } of keys) expect(Object.keys(Condition ?? {})).not.toEqual([]);
});

test('lets deployers take the roles of cdk bootstrap, and do nothing else', () => {
  const { statements } = roleOf('Deployers');
  expect(actionsOf(statements)).toEqual(['sts:AssumeRole']);
  const roles = JSON.stringify(statements[0]?.Resource).match(/role\/cdk-[a-z0-9-]+-role-/g);
  expect(roles).toEqual(
    ['deploy', 'file-publishing', 'lookup'].map((one) => `role/cdk-hnb659fds-${one}-role-`),
  );
});
