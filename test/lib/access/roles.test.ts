import type { Template } from 'aws-cdk-lib/assertions';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { signerAlias } from '../../../admin/deployment/kms-signer-keys.ts';
import { contentCid } from '../../../functions/domain/attestation/content-cid.ts';
import { contentPart, metadataRecord } from '../../../functions/domain/attestation/content-records.ts';
import { createApiKey, keyRecord, revokeApiKey } from '../../../functions/domain/organization/api-keys.ts';
import { createOrganization } from '../../../functions/domain/organization/organization.ts';
import { updateOrganization } from '../../../functions/domain/organization/update-organization.ts';
import type { Change } from '../../../functions/domain/records.ts';
import { apiKeyKeys, contentKeys } from '../../../lib/access/operator-access.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';
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

test('a role exists only if a principal may assume it', () => {
  for (const id of ['Operators', 'Custodians', 'Deployers'])
    expect(roleOf(id, synthesize()).statements).toEqual([]);
  expect(roleOf('Operators').trusted).toEqual([person('on-call')]);
  expect(roleOf('Custodians').trusted).toEqual(access.custodians);
  const outputs = Object.keys(template.toJSON().Outputs);
  for (const output of ['OperatorsRole', 'CustodiansRole', 'DeployersRole'])
    expect(outputs).toContain(output);
});

test('no role can sign, scan, invoke functions, answer tasks or change roles', () => {
  for (const id of ['Operators', 'Custodians', 'Deployers']) {
    const actions = actionsOf(allowed(roleOf(id)));
    expect(actions.length).toBeGreaterThan(0);
    expect(
      actions.filter((one) => /\*|kms:Sign|Scan|lambda:Invoke|SendTask|^iam:|Delete(Table|Stack)/.test(one)),
    ).toEqual([]);
  }
});

const denialsOn = (id: string, table: string) =>
  roleOf(id).statements.filter(
    ({ Effect, Resource }) => Effect === 'Deny' && referenceOf(Resource).startsWith(`Tables${table}`),
  );

/** As IAM matches: a question mark is one character. */
const matches = (pattern: string, text: string) =>
  new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '.*')}$`).test(text);

test('custodians can read contents, operators cannot', () => {
  expect(denialsOn('Operators', 'Attestations')).toMatchObject([
    {
      Action: 'dynamodb:*',
      Condition: { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': contentKeys } },
    },
  ]);
  expect(roleOf('Custodians').statements.filter(({ Effect }) => Effect === 'Deny')).toEqual([]);
  const organizationId = crypto.randomUUID();
  const cid = contentCid(`0x${'ab'.repeat(32)}`);
  // An attestation's id begins with the time; a random one may begin as a CID does.
  const id = uuidv7();
  expect(matches(contentKeys, contentPart(organizationId, cid, 0).pk)).toBe(true);
  expect(matches(contentKeys, metadataRecord({ organizationId, id }).pk)).toBe(false);
});

/** Whether the operators' role is denied a write of organizations, as DynamoDB shows it to IAM. */
function isDeniedToOperators(change: Change): boolean {
  const action = `dynamodb:${'put' in change ? 'Put' : 'Update'}Item`;
  const fields = { ...('put' in change ? change.put : {}), ...('set' in change ? change.set : {}) };
  const attributes = ['pk', 'sk', ...Object.keys({ ...fields, ...change.expect })];
  return denialsOn('Operators', 'Organizations').some(({ Action, Condition = {} }) => {
    const { 'dynamodb:LeadingKeys': keys } = Condition['ForAnyValue:StringLike'] ?? {};
    const { 'dynamodb:Attributes': denied = attributes } = Condition['ForAnyValue:StringEquals'] ?? {};
    const some = [denied].flat().some((one) => attributes.includes(String(one)));
    return Action === action && matches(String(keys), change.key.pk) && some;
  });
}

test('operators can list and revoke API keys but not issue them', async () => {
  const records = new MemoryRecords();
  let changes: Change[] = [];
  const transact = records.transact.bind(records);
  records.transact = (written) => {
    changes.push(...written);
    return transact(written);
  };
  const isDenied = async (work: Promise<unknown>) => {
    changes = [];
    await work;
    return changes.some(isDeniedToOperators);
  };
  const [id, now] = [crypto.randomUUID(), new Date()];
  const organization = { name: 'a', authorityAddress: `0x${'1'.repeat(40)}`, defaultChainId: null } as const;
  const created = createOrganization(records, { id, ...organization, createdAt: now.toISOString() });
  expect(await isDenied(created)).toBe(false);
  expect(await isDenied(createApiKey(records, { organizationId: id, mode: 'live', now }))).toBe(true);
  const keyId = String(changes.find(({ key }) => matches(apiKeyKeys, key.pk))?.key.pk.slice('key#'.length));
  expect(await isDenied(updateOrganization(records, id, { name: 'b', defaultChainId: 1 }))).toBe(false);
  expect(changes.map(({ key }) => key.pk)).toContain(`key#${keyId}`);
  expect(await isDenied(revokeApiKey(records, keyId, now))).toBe(false);
  expect(changes.length).toBeGreaterThan(0);
  // The attributes that create a key or move it to another organization.
  for (const set of [{ hash: 'ab' }, { organizationId: id }])
    expect(isDeniedToOperators({ key: keyRecord(keyId), set })).toBe(true);
});

test('only custodians can erase', () => {
  const erasing = (id: string) =>
    allowed(roleOf(id)).filter(
      ({ Action, Resource }) =>
        Action.includes('dynamodb:DeleteItem') && referenceOf(Resource).startsWith('TablesAttestations'),
    ).length;
  expect([erasing('Operators'), erasing('Custodians')]).toEqual([0, 1]);
});

test('only custodians can create signing keys, and they cannot change existing ones', () => {
  const only = actionsOf(allowed(roleOf('Custodians'))).filter(
    (action) => !actionsOf(allowed(roleOf('Operators'))).includes(action),
  );
  expect(new Set(only)).toEqual(new Set(['kms:CreateAlias', 'kms:CreateKey', 'kms:GetKeyPolicy']));
  const ofKind = { StringEquals: { 'kms:KeySpec': 'ECC_SECG_P256K1', 'kms:KeyUsage': 'SIGN_VERIFY' } };
  const ownAliases = signerAlias('Imprimatur', 0).replace(/0$/, '*');
  const conditionsOf = (action: string, resource: RegExp) =>
    allowed(roleOf('Custodians'))
      .filter(({ Action, Resource }) => Action.includes(action) && resource.test(JSON.stringify(Resource)))
      .map(({ Condition }) => Condition);
  expect(conditionsOf('kms:CreateKey', /^"\*"$/)).toEqual([ofKind]);
  expect(conditionsOf('kms:CreateAlias', /:key\/\*"/)).toEqual([
    // Keys of other stacks have their own aliases.
    { ...ofKind, 'ForAllValues:StringLike': { 'kms:ResourceAliases': ownAliases } },
  ]);
  expect(conditionsOf('kms:CreateAlias', new RegExp(`:${ownAliases.replace('*', '\\*')}"`))).toEqual([
    undefined,
  ]);
  // A condition on aliases would refuse the key that was just made, for minutes.
  expect(conditionsOf('kms:GetPublicKey', /:key\/\*"/)).toContainEqual(ofKind);
});

test('the roles that run doctor can describe the aliases of the state machines', () => {
  for (const id of ['Operators', 'Custodians']) {
    const looking = allowed(roleOf(id)).filter(({ Action }) =>
      Action.includes('states:DescribeStateMachineAlias'),
    );
    const machines = JSON.stringify(looking.map(({ Resource }) => Resource));
    expect(machines.match(/stateMachine:[^"]*/g)).toEqual(
      ['attest', 'lane'].map((one) => `stateMachine:Imprimatur-${one}`),
    );
  }
});

test('a role writes only the parameters with RPC URLs and settings changes', () => {
  const writes = allowed(roleOf('Operators')).filter(({ Action }) =>
    [Action].flat().includes('ssm:PutParameter'),
  );
  const resources = JSON.stringify(writes.flatMap(({ Resource }) => Resource));
  expect(resources.match(/parameter\/[^"]*/g)).toEqual([
    'parameter/Imprimatur/rpc-urls/*',
    'parameter/Imprimatur/settings-changes',
  ]);
});

test('a wildcard needs a condition, unless the actions have no resource or apply to all resources', () => {
  const everything = allowed(roleOf('Operators')).filter(({ Resource }) => Resource === '*');
  expect(actionsOf(everything)).toEqual([
    'cloudwatch:DescribeAlarms',
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

test('deployers can only assume the roles of cdk bootstrap', () => {
  const { statements } = roleOf('Deployers');
  expect(actionsOf(statements)).toEqual(['sts:AssumeRole']);
  const roles = JSON.stringify(statements[0]?.Resource).match(/role\/cdk-[a-z0-9-]+-role-/g);
  expect(roles).toEqual(
    ['deploy', 'file-publishing', 'lookup'].map((one) => `role/cdk-hnb659fds-${one}-role-`),
  );
});
