import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { rateRecord } from '../../../functions/domain/organization/request-rate.ts';
import { environmentNames } from '../../../functions/domain/settings.ts';
import { functionAccess } from '../../../lib/access/function-access.ts';
import { bundleOptions } from '../../../lib/bundle-functions.ts';
import { environments, referenceOf, settings, statementsOf, synthesize } from '../synthesize.ts';

const template = synthesize();
const ids = Object.keys(environments(template));
const signers = ['AdvanceLane', 'Commit', 'Reveal'];

function whoMay(action: string, isOn = (_resources: readonly unknown[]) => true): string[] {
  const may = (id: string) =>
    statementsOf(template, id).some(({ actions, resources }) => actions.includes(action) && isOn(resources));
  return ids.filter(may).sort();
}

test('every function runs on Node 24 and arm64, with its own JSON log that expires', () => {
  for (const { Properties } of Object.values(template.findResources('AWS::Lambda::Function'))) {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
    expect(Properties.LoggingConfig).toMatchObject({ LogFormat: 'JSON' });
    expect(referenceOf(Properties.LoggingConfig.LogGroup)).toMatch(/Log[0-9A-F]{8}$/);
  }
  for (const { Properties } of Object.values(template.findResources('AWS::Logs::LogGroup')))
    expect(Properties.RetentionInDays).toBe(30);
});

test("functions that only look up lanes can read only the address of the stack's key", () => {
  const readers = ['CreateAttestation', 'LinkChild', 'ListChains', 'Sweep'];
  for (const id of readers) {
    const reading = statementsOf(template, id).filter(({ actions }) => actions.includes('kms:GetPublicKey'));
    expect(reading.flatMap(({ resources }) => resources).map(referenceOf)).toEqual([
      expect.stringMatching(/^SigningKey/),
    ]);
  }
  expect(whoMay('kms:GetPublicKey')).toEqual(readers);
});

test('only the functions that dispatch a lane can answer task tokens, and only tokens of `attest`', () => {
  expect(whoMay('states:SendTaskSuccess')).toEqual(signers);
  const [answer] = statementsOf(template, 'Commit').filter(({ actions }) =>
    actions.includes('states:SendTaskSuccess'),
  );
  expect(JSON.stringify(answer?.resources)).toContain(':stateMachine:Imprimatur-attest"');
});

test('the routes without an API key have no permissions', () => {
  for (const id of ['DocsPage', 'OpenapiDocument']) {
    expect(statementsOf(template, id)).toEqual([]);
    const names = Object.keys(environments(template)[id] ?? {});
    expect(names.filter((name) => !name.startsWith('POWERTOOLS_'))).toEqual(['SETTINGS']);
  }
});

const actionsOn = (id: string, table: string) =>
  statementsOf(template, id)
    .filter(({ resources }) => resources.some((one) => isTable(one, table)))
    .flatMap(({ actions }) => actions.map((action) => action.replace('dynamodb:', '')))
    .sort();

const isTable = (resource: unknown, table: string) =>
  referenceOf(resource).startsWith(`Tables${table}`) && !JSON.stringify(resource).includes('/index/');

// test/service/access shows that each grant is needed, and test/fakes/ports/restricted-to-role.ts that no other is.
const writersOf = (table: string) =>
  ids.filter((id) => actionsOn(id, table).some((action) => /Put|Update|Delete|Write/.test(action))).sort();

const withIndex = (index: string) =>
  ids.filter((id) => JSON.stringify(statementsOf(template, id)).includes(`/index/${index}`));

const mayStart = (name: string) =>
  whoMay('states:StartExecution', (on) => JSON.stringify(on).includes(`:stateMachine:Imprimatur-${name}"`));
const mayLookAt = (name: string) =>
  whoMay('states:DescribeExecution', (on) => JSON.stringify(on).includes(`:execution:Imprimatur-${name}:*"`));
const seesWebhooks = ids.filter((id) => actionsOn(id, 'Webhooks').length > 0);

const attestStarters = ['CreateAttestation', 'Sweep'];
const laneStarters = [...signers, 'LinkChild', 'Sweep'].sort();

test.each([
  ["sign by their own policies: none, because the key's policy lists the signers", whoMay('kms:Sign'), []],
  ['write organizations and API keys: none, because operators do', writersOf('Organizations'), []],
  ['access webhooks and their secrets', seesWebhooks, ['QueueDeliveries', 'SendDeliveries']],
  ['write lanes', writersOf('Lanes'), [...signers, 'Sweep']],
  ['write the queue', writersOf('Queue'), [...signers, 'Fail', 'LinkChild'].sort()],
  ['read the index of due attestations', withIndex('due'), ['Sweep']],
  ['count attestations in flight', withIndex('inFlight'), ['CreateAttestation']],
  ['start the attest machine', mayStart('attest'), attestStarters],
  ['look at executions of the attest machine', mayLookAt('attest'), attestStarters],
  ['start the lane machine', mayStart('lane'), laneStarters],
  ['look at executions of the lane machine', mayLookAt('lane'), laneStarters],
])('only the expected functions %s', (_, may, expected) => {
  expect(may).toEqual(expected);
});

test('the route that queues operations cannot remove any', () => {
  expect(actionsOn('LinkChild', 'Queue')).not.toContain('DeleteItem');
});

test('no function can scan or administer a table', () => {
  const actions = ids.flatMap((id) => statementsOf(template, id)).flatMap((statement) => statement.actions);
  expect(actions.filter((action) => /Scan|Table|\*/.test(action))).toEqual([]);
});

test('functions with chain access can read only RPC URLs and settings changes in SSM', () => {
  const withUrls = ids.filter((id) => 'RPC_URLS_PATH' in (environments(template)[id] ?? {}));
  expect(whoMay('ssm:GetParameter')).toEqual(withUrls.sort());
  expect(whoMay('kms:Decrypt')).toEqual(withUrls.sort());
  const reading = statementsOf(template, 'Confirm').filter(({ actions }) =>
    actions.includes('ssm:GetParameter'),
  );
  const read = reading.flatMap(({ resources }) => resources).map((one) => JSON.stringify(one));
  expect(read).toEqual([
    expect.stringMatching(/:parameter\/Imprimatur\/rpc-urls\/\*"/),
    expect.stringMatching(/:parameter\/Imprimatur\/settings-changes"/),
  ]);
});

test('functions with chain access can decrypt only RPC URL parameters, through Systems Manager', () => {
  for (const id of whoMay('kms:Decrypt')) {
    const [decrypting, ...more] = statementsOf(template, id).filter(({ actions }) =>
      actions.includes('kms:Decrypt'),
    );
    expect(more).toEqual([]);
    expect(decrypting?.actions).toEqual(['kms:Decrypt']);
    expect(JSON.stringify(decrypting?.conditions.StringEquals)).toMatch(/"kms:ViaService":.*"ssm\./);
    expect(JSON.stringify(decrypting?.conditions.StringLike)).toMatch(
      /"kms:EncryptionContext:PARAMETER_ARN":.*:parameter\/Imprimatur\/rpc-urls\/\*/,
    );
  }
});

test('the functions get exactly the environment variables that they declare', () => {
  const given = Object.values(environments(template)).flatMap((environment) => Object.keys(environment));
  expect(new Set(given)).toEqual(new Set([...environmentNames, 'UV_THREADPOOL_SIZE']));
});

test('every function gets the parsed settings', () => {
  for (const { SETTINGS } of Object.values(environments(template)))
    expect(JSON.parse(String(SETTINGS))).toEqual(settings);
});

test('no function gets an RPC URL or a secret', () => {
  const values = Object.values(environments(template)).flatMap(({ SETTINGS: _, ...rest }) =>
    Object.values(rest),
  );
  expect(values.map(String).filter((value) => value.includes('://'))).toEqual([]);
  expect(JSON.stringify(template.toJSON())).not.toMatch(
    /resolve:(?:ssm|secretsmanager)|GenerateSecretString/,
  );
});

test('functions that only read attestations can write only request counts', () => {
  const table = (id: string) =>
    statementsOf(template, id).filter(({ actions }) => actions.includes('dynamodb:UpdateItem'));
  const readers = ['ListAttestations', 'GetAttestation', 'GetProof', 'ListChains', 'QuotePassage'];
  for (const id of readers) {
    const writes = table(id);
    expect(writes.map(({ actions, conditions }) => ({ actions, conditions }))).toEqual([
      {
        actions: ['dynamodb:UpdateItem'],
        conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['*#usage'] } },
      },
    ]);
  }
  // No other record of the table has such a key. An organization's rows are under its id. The keys of the other records
  // end with a CID, a chain, an id or a hash.
  expect(rateRecord('018f0000-0000-7000-8000-00000000000a', new Date(0)).pk).toMatch(/#usage$/);
});

/** `WorkflowCommitAliaslive2B6F0A1C`, the alias, → `Commit live`. */
const idOf = (value: unknown) =>
  referenceOf(value)
    .replace(/^(?:Api|Workflow|Webhooks)/, '')
    .replace('Aliaslive', ' live')
    .replace(/[0-9A-F]{8}$/, '');

function calledBy(machine: 'Attest' | 'Lane'): string[] {
  const policies = Object.entries(template.findResources('AWS::IAM::Policy'));
  const [, policy] = policies.find(([id]) => id.startsWith(`Workflow${machine}RoleDefaultPolicy`)) ?? [];
  const statements: { Action: string | string[]; Resource: unknown }[] =
    policy?.Properties.PolicyDocument.Statement;
  return statements
    .filter(({ Action }) => [Action].flat().includes('lambda:InvokeFunction'))
    .flatMap(({ Resource }) => [Resource].flat().map(idOf));
}

function permitted(principal: string) {
  return Object.values(template.findResources('AWS::Lambda::Permission'))
    .map(({ Properties }) => Properties)
    .filter(({ Principal }) => Principal === principal)
    .map(({ FunctionName, SourceArn }) => ({ id: idOf(FunctionName), source: SourceArn }));
}

test('a state machine can invoke only the aliases of its own functions', () => {
  expect(calledBy('Attest').sort()).toEqual(['Commit live', 'Confirm live', 'Fail live', 'Reveal live']);
  expect(calledBy('Lane')).toEqual(['AdvanceLane live']);
});

test('API Gateway can invoke the functions of the routes, for this API', () => {
  const called = permitted('apigateway.amazonaws.com');
  const routes = Object.keys(functionAccess).filter((file) => file.startsWith('api/'));
  expect(new Set(called.map(({ id }) => id)).size).toBe(routes.length);
  for (const { source } of called) expect(JSON.stringify(source)).toContain('{"Ref":"Api');
});

test('EventBridge can invoke only Sweep and SendDeliveries, each by its schedule', () => {
  const called = permitted('events.amazonaws.com').map(({ id, source }) => [id, referenceOf(source)]);
  expect(called).toEqual([
    ['Sweep', expect.stringMatching(/^WorkflowSweepSchedule/)],
    ['SendDeliveries', expect.stringMatching(/^WebhooksSchedule/)],
  ]);
});

test('bundling keeps the names of errors, which state machines match', async () => {
  const entryPoints = ['functions/domain/errors.ts'];
  const { outputFiles } = await build({ ...bundleOptions, entryPoints, write: false });
  const [{ text } = { text: '' }] = outputFiles;
  const { NotYetFinalError } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  expect(new NotYetFinalError('').name).toBe('NotYetFinalError');
});
