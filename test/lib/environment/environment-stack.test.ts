import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { expect, onTestFinished, test } from 'vitest';
import { type Environment, environmentDigest } from '../../../lib/environment/environment.ts';
import { readEnvironment } from '../../../lib/environment/read-environment.ts';
import { environmentStack, stackOf } from '../../../lib/stack-of.ts';
import { inApp, referenceOf } from '../synthesize.ts';

const templateOf = (environment: Environment): Template =>
  inApp(environmentStack(environment), Template.fromStack);

const production = readEnvironment('production');
const staging = readEnvironment('staging');
const live = templateOf(production);
const staged = templateOf(staging);

const onlyOf = (template: Template, type: string) => {
  const [found, ...more] = Object.values(template.findResources(type));
  expect(more).toEqual([]);
  return found;
};

test('the stack has its account, Region, protection, tags and bootstrap roles', () => {
  const { env, tags, terminationProtection, synthesizer, stackName } = stackOf((name) =>
    name === 'env' ? 'production' : undefined,
  );
  expect(env).toEqual({ account: '111122223333', region: 'eu-central-1' });
  expect(stackName).toBe('Imprimatur');
  expect(terminationProtection).toBe(true);
  expect(tags).toEqual({ service: 'imprimatur', environment: 'production' });
  expect(synthesizer?.constructor.name).toBe('DefaultStackSynthesizer');
});

test("an emulator's stack has the emulator's account, so that the CDK cannot deploy it elsewhere", () => {
  const directory = mkdtempSync(join(tmpdir(), 'imprimatur-emulated-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const settings = join(directory, 'settings.json');
  writeFileSync(settings, JSON.stringify(staging.settings));
  const context: Record<string, string> = { emulator: 'ministack', settings, stackName: 'Local' };
  const { env, terminationProtection, synthesizer, stackName } = stackOf(
    (name) => context[name],
    'eu-west-1',
  );
  expect(env).toEqual({ account: '000000000000', region: 'eu-west-1' });
  expect([stackName, terminationProtection]).toEqual(['Local', undefined]);
  expect(synthesizer?.constructor.name).toBe('CliCredentialsStackSynthesizer');
});

test('tables and key outlive a deleted stack, but not a failed first deployment', () => {
  for (const type of ['AWS::DynamoDB::Table', 'AWS::KMS::Key'])
    for (const kept of Object.values(live.findResources(type)))
      expect(kept).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
});

test('the parameter `Protection` decides whether the tables can be deleted, and is off at first', () => {
  expect(live.findParameters('Protection')).toMatchObject({
    Protection: { AllowedValues: ['off', 'on'], Default: 'off' },
  });
  expect(live.findConditions('*')).toMatchObject({
    IsProtected: { 'Fn::Equals': [{ Ref: 'Protection' }, 'on'] },
  });
  const DeletionProtectionEnabled = { 'Fn::If': ['IsProtected', true, false] };
  live.allResourcesProperties('AWS::DynamoDB::Table', { DeletionProtectionEnabled });
});

test('tables and key are deleted with the stack if the file says so', () => {
  const retention = { ...staging.retention, tables: 'delete', key: 'delete' } as const;
  const disposable = templateOf({ ...staging, deletionProtection: false, retention });
  for (const type of ['AWS::DynamoDB::Table', 'AWS::KMS::Key'])
    for (const { DeletionPolicy } of Object.values(disposable.findResources(type)))
      expect(DeletionPolicy).toBe('Delete');
  disposable.allResourcesProperties('AWS::DynamoDB::Table', { DeletionProtectionEnabled: false });
  expect(disposable.findParameters('Protection')).toEqual({});
});

test('the alarm addresses are subscribed', () => {
  live.hasResourceProperties('AWS::SNS::Subscription', {
    Protocol: 'email',
    Endpoint: 'on-call@example.org',
    TopicArn: { Ref: Match.stringLikeRegexp('^AlarmsTopic') },
  });
});

test('logs are retained as long as the file says', () => {
  const days = (template: Template) =>
    new Set(
      Object.values(template.findResources('AWS::Logs::LogGroup')).map(
        ({ Properties }) => Properties.RetentionInDays,
      ),
    );
  expect([...days(live)]).toEqual([365]);
  expect([...days(staged)]).toEqual([30]);
});

test('only the functions that the file names have reserved concurrency', () => {
  const reserved = Object.entries(live.findResources('AWS::Lambda::Function'))
    .map(([id, { Properties }]) => [id, Properties.ReservedConcurrentExecutions])
    .filter(([, executions]) => executions !== undefined);
  expect(reserved).toEqual([
    [expect.stringMatching(/^WorkflowAdvanceLane/), 20],
    [expect.stringMatching(/^WorkflowSweep/), 5],
  ]);
});

test("the API's default endpoint and its own domain require TLS 1.2 or later", () => {
  const tls = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', EndpointAccessMode: 'STRICT' };
  for (const template of [live, staged]) template.hasResourceProperties('AWS::ApiGateway::RestApi', tls);
  live.hasResourceProperties('AWS::ApiGateway::DomainName', {
    ...tls,
    DomainName: 'attest.example.org',
    RegionalCertificateArn: production.api?.certificateArn,
    EndpointConfiguration: { Types: ['REGIONAL'] },
  });
});

test('a stack outputs the digest of its environment, which changes with every field', () => {
  const { Value } = staged.findOutputs('EnvironmentDigest').EnvironmentDigest ?? {};
  expect(Value).toBe(environmentDigest(staging));
  expect(environmentDigest({ ...staging, alarmAddresses: ['ada@example.org'] })).not.toBe(Value);
});

test('an API with its own domain has no default endpoint, and outputs its DNS target', () => {
  live.hasResourceProperties('AWS::ApiGateway::RestApi', { DisableExecuteApiEndpoint: true });
  expect(referenceOf(live.findOutputs('ApiUrl'))).toMatch(/^ApiCustomDomain/);
  expect(JSON.stringify(live.findOutputs('ApiDnsTarget'))).toContain('RegionalDomainName');
  const mapping = onlyOf(live, 'AWS::ApiGateway::BasePathMapping')?.Properties;
  expect(mapping).not.toHaveProperty('BasePath');
  expect(referenceOf(mapping.Stage)).toMatch(/^ApiDeploymentStagelive/);
  staged.resourceCountIs('AWS::ApiGateway::DomainName', 0);
  expect(staged.findOutputs('ApiDnsTarget')).toEqual({});
});

const filtered = (template: Template) =>
  Object.values(
    template.findResources('AWS::ApiGateway::GatewayResponse', {
      Properties: { ResponseType: 'WAF_FILTERED' },
    }),
  )[0]?.Properties;

test('`requestsPerAddress` adds a web ACL that stores no samples and answers like the throttle', () => {
  const { Rules, DefaultAction } = onlyOf(live, 'AWS::WAFv2::WebACL')?.Properties ?? {};
  expect(DefaultAction).toEqual({ Allow: {} });
  expect(Rules).toMatchObject([
    {
      Action: { Block: {} },
      Statement: { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 3000 } },
    },
  ]);
  expect(JSON.stringify(live.findResources('AWS::WAFv2::WebACL'))).not.toContain(
    '"SampledRequestsEnabled":true',
  );
  const association = onlyOf(live, 'AWS::WAFv2::WebACLAssociation')?.Properties;
  expect(JSON.stringify(association.ResourceArn)).toContain('/stages/');
  expect(filtered(live)).toMatchObject({
    StatusCode: '429',
    ResponseTemplates: { 'application/json': '{"error":"rate limit exceeded"}' },
    ResponseParameters: { 'gatewayresponse.header.Retry-After': "'60'" },
  });
  staged.resourceCountIs('AWS::WAFv2::WebACL', 0);
  expect(filtered(staged)).toMatchObject({ StatusCode: '403' });
});

/** Resources by ID, without the hashes of code that CDK adds. */
const resourcesOf = (template: Template) =>
  JSON.parse(
    JSON.stringify(template.toJSON().Resources)
      .replaceAll(/[0-9a-f]{64}\.zip/g, 'HASH.zip')
      .replaceAll(/((?:CurrentVersion|Deployment)[0-9A-F]{8})[0-9a-f]{32,40}/g, '$1HASH'),
  );

test('the template names no account or Region other than those of its environment', () => {
  const account = '777788889999';
  const elsewhere = JSON.stringify(resourcesOf(templateOf({ ...staging, account, region: 'eu-west-1' })));
  const back = elsewhere.replaceAll(account, staging.account).replaceAll('eu-west-1', staging.region);
  expect(JSON.parse(back)).toEqual(resourcesOf(staged));
});
