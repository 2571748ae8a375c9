import { expect, test } from 'vitest';
import { signerAlias } from '../../admin/deployment/signer-alias.ts';
import { environmentNames } from '../../functions/domain/settings.ts';
import { environments, referenceOf, settings, statementsOf, synthesize } from './synthesize.ts';

const template = synthesize();
const ids = Object.keys(environments(template));
const signers = ['AdvanceLane', 'Commit', 'Reveal'];

/** Construct ids of the functions that may do it. */
function whoMay(action: string): string[] {
  const may = (id: string) => statementsOf(template, id).some(({ actions }) => actions.includes(action));
  return ids.filter(may).sort();
}

test('has one function per route, state and schedule', () => {
  expect(ids.sort()).toEqual([
    'AdvanceLane',
    'Commit',
    'Confirm',
    'CreateAttestation',
    'DocsPage',
    'Fail',
    'GetAttestation',
    'GetProof',
    'LinkChild',
    'ListAttestations',
    'ListChains',
    'OpenapiDocument',
    'QuotePassage',
    'Reveal',
    'Sweep',
    'Unrouted',
  ]);
});

test('runs every function on Node 24, arm64, with JSON logs of its own that expire', () => {
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

test('lets only those who dispatch a lane sign', () => {
  expect(whoMay('kms:Sign')).toEqual(signers);
});

test("lets them sign with the stack's own key, and with keys of the account that have a signer's alias", () => {
  for (const id of signers) {
    const [own, rotated, ...more] = statementsOf(template, id).filter(({ actions }) =>
      actions.includes('kms:Sign'),
    );
    expect(more).toEqual([]);
    expect(own?.resources.map(referenceOf)).toEqual([expect.stringMatching(/^SigningKey/)]);
    expect(own?.conditions).toEqual({});
    expect(JSON.stringify(rotated?.resources)).toContain(':key/*"');
    expect(rotated?.actions).toEqual(['kms:GetPublicKey', 'kms:Sign']);
    expect(rotated?.conditions).toEqual({
      'ForAnyValue:StringLike': { 'kms:ResourceAliases': 'alias/imprimatur/Imprimatur/signer-*' },
    });
  }
});

test('names the aliases as the command that makes them', () => {
  const { conditions } = statementsOf(synthesize({ stackName: 'Other' }), 'Commit').find(
    (statement) => 'ForAnyValue:StringLike' in statement.conditions,
  ) ?? { conditions: {} };
  const [prefix] = JSON.stringify(conditions).match(/alias[^*]+(?=\*)/) ?? [];
  expect(signerAlias('Other', 12)).toBe(`${prefix}12`);
});

test("lets those who only look up lanes read the own key's address, and no other's", () => {
  const readers = ['CreateAttestation', 'LinkChild', 'ListChains', 'Sweep'];
  for (const id of readers) {
    const reading = statementsOf(template, id).filter(({ actions }) => actions.includes('kms:GetPublicKey'));
    expect(reading.flatMap(({ resources }) => resources).map(referenceOf)).toEqual([
      expect.stringMatching(/^SigningKey/),
    ]);
  }
  expect(whoMay('kms:GetPublicKey')).toEqual([...signers, ...readers].sort());
});

test('lets only those who dispatch a lane answer task tokens, and only of the attest machine', () => {
  expect(whoMay('states:SendTaskSuccess')).toEqual(signers);
  const [answer] = statementsOf(template, 'Commit').filter(({ actions }) =>
    actions.includes('states:SendTaskSuccess'),
  );
  expect(JSON.stringify(answer?.resources)).toContain(':stateMachine:Imprimatur-attest"');
});

test('lets reading routes read only', () => {
  for (const id of ['GetAttestation', 'GetProof', 'ListAttestations']) {
    const actions = statementsOf(template, id).flatMap((statement) => statement.actions);
    expect(new Set(actions)).toEqual(
      new Set(['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query']),
    );
  }
});

test('lets the routes that need no key touch nothing', () => {
  for (const id of ['DocsPage', 'OpenapiDocument']) {
    expect(statementsOf(template, id)).toEqual([]);
    const {
      POWERTOOLS_METRICS_NAMESPACE: _,
      POWERTOOLS_SERVICE_NAME: __,
      ...rest
    } = environments(template)[id] ?? {};
    expect(Object.keys(rest)).toEqual(['SETTINGS']);
  }
});

/** Actions of a function on one table. */
const actionsOn = (id: string, table: string) =>
  statementsOf(template, id)
    .filter(({ resources }) => resources.some((one) => referenceOf(one).startsWith(`Tables${table}`)))
    .flatMap(({ actions }) => actions);

const writersOf = (table: string) =>
  ids.filter((id) => actionsOn(id, table).some((action) => /Put|Update|Delete|Write/.test(action))).sort();

test('lets no function write who owns what: operators do', () => {
  expect(writersOf('Organizations')).toEqual([]);
});

test('lets those who dispatch lanes and the sweep write lanes, and no function of the API', () => {
  expect(writersOf('Lanes')).toEqual([...signers, 'Sweep']);
});

test('lets the one route that queues an operation add it to the queue and count its round, and remove nothing', () => {
  expect(writersOf('Queue')).toEqual([...signers, 'Fail', 'LinkChild', 'Sweep'].sort());
  expect(actionsOn('LinkChild', 'Queue').sort()).toEqual([
    'dynamodb:GetItem',
    'dynamodb:PutItem',
    'dynamodb:Query',
    'dynamodb:UpdateItem',
  ]);
});

test('grants writers what transactions need, and no check of records that are not written', () => {
  const writing = statementsOf(template, 'Fail').filter(({ actions }) =>
    actions.includes('dynamodb:PutItem'),
  );
  const actions = new Set(writing.flatMap((statement) => statement.actions));
  expect([...actions].sort()).toEqual([
    'dynamodb:BatchGetItem',
    'dynamodb:DeleteItem',
    'dynamodb:GetItem',
    'dynamodb:PutItem',
    'dynamodb:Query',
    'dynamodb:UpdateItem',
  ]);
  expect(whoMay('dynamodb:ConditionCheckItem')).toEqual([]);
});

test('lets nobody scan or administer a table', () => {
  const actions = ids.flatMap((id) => statementsOf(template, id)).flatMap((statement) => statement.actions);
  expect(actions.filter((action) => /Scan|Table|\*/.test(action))).toEqual([]);
});

test('lets only the sweep read the index of what is due', () => {
  const index = ids.filter((id) => JSON.stringify(statementsOf(template, id)).includes('/index/due'));
  expect(index).toEqual(['Sweep']);
});

test('lets only those who accept attestations count what is in flight', () => {
  const index = ids.filter((id) => JSON.stringify(statementsOf(template, id)).includes('/index/inFlight'));
  expect(index).toEqual(['CreateAttestation']);
});

test('shows who lists the chains no attestation, and lets it change nothing', () => {
  const statements = statementsOf(template, 'ListChains');
  expect(JSON.stringify(statements)).not.toContain('TablesAttestations');
  const actions = statements.flatMap((statement) => statement.actions);
  expect(new Set(actions.filter((action) => !/^(kms|ssm):/.test(action)))).toEqual(
    new Set(['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query']),
  );
});

test('lets those who talk to a chain read its RPC URLs, and nothing else of SSM', () => {
  const withUrls = ids.filter((id) => 'RPC_URLS_PATH' in (environments(template)[id] ?? {}));
  expect(whoMay('ssm:GetParameter')).toEqual(withUrls.sort());
  expect(whoMay('kms:Decrypt')).toEqual(withUrls.sort());
  const reading = statementsOf(template, 'Confirm').filter(({ actions }) =>
    actions.includes('ssm:GetParameter'),
  );
  expect(JSON.stringify(reading)).toContain(':parameter/Imprimatur/rpc-urls/*');
});

test('gives the functions every environment variable that they declare, and no other', () => {
  const given = Object.values(environments(template)).flatMap((environment) => Object.keys(environment));
  expect(new Set(given)).toEqual(new Set(environmentNames));
});

test('gives every function the parsed settings', () => {
  for (const { SETTINGS } of Object.values(environments(template)))
    expect(JSON.parse(String(SETTINGS))).toEqual(settings);
});

test('gives no function an RPC URL or a secret', () => {
  const values = Object.values(environments(template)).flatMap(({ SETTINGS: _, ...rest }) =>
    Object.values(rest),
  );
  expect(values.map(String).filter((value) => value.includes('://'))).toEqual([]);
  expect(JSON.stringify(template.toJSON())).not.toMatch(
    /resolve:(?:ssm|secretsmanager)|GenerateSecretString/,
  );
});
