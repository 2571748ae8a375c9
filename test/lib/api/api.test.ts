import { expect, test } from 'vitest';
import { commonHeaders } from '../../../functions/api/http/reply.ts';
import { functionAccess } from '../../../lib/access/function-access.ts';
import { environments, referenceOf, synthesize } from '../synthesize.ts';

const template = synthesize();

function methodsOf(stack: typeof template): string[][] {
  const nameOf = (reference: unknown) =>
    referenceOf(reference).replace(/^Api(.*?)(?:Aliaslive)?[0-9A-F]{8}$/, '$1');
  return Object.values(stack.findResources('AWS::ApiGateway::Method'))
    .map(({ Properties: { HttpMethod, ResourceId, Integration } }) => [
      HttpMethod,
      JSON.stringify(ResourceId).includes('RootResourceId') ? '/' : nameOf(ResourceId),
      Integration.Type === 'AWS_PROXY' ? nameOf(Integration.Uri['Fn::Join'][1].at(-2)) : Integration.Type,
    ])
    .sort();
}

function gatewayResponse(type: string) {
  const [found] = Object.values(
    template.findResources('AWS::ApiGateway::GatewayResponse', { Properties: { ResponseType: type } }),
  );
  const { StatusCode, ResponseTemplates, ResponseParameters } = found?.Properties ?? {};
  return {
    status: StatusCode,
    body: ResponseTemplates?.['application/json'],
    headers: ResponseParameters ?? {},
  };
}

test('each method has its own function', () => {
  expect(methodsOf(template).filter(([method]) => method !== 'ANY')).toEqual([
    ['GET', 'docs', 'DocsPage'],
    ['GET', 'openapijson', 'OpenapiDocument'],
    ['GET', 'v1attestations', 'ListAttestations'],
    ['GET', 'v1attestationsid', 'GetAttestation'],
    ['GET', 'v1attestationsidproof', 'GetProof'],
    ['GET', 'v1chains', 'ListChains'],
    ['POST', 'v1attestations', 'CreateAttestation'],
    ['POST', 'v1attestationsidchild', 'LinkChild'],
    ['POST', 'v1attestationsidquotes', 'QuotePassage'],
  ]);
});

test('one function serves all other methods and routes', () => {
  const [others, own] = [true, false].map((isOther) =>
    methodsOf(template).filter(([method]) => (method === 'ANY') === isOther),
  );
  const resources = new Set(['/', 'proxy', ...(own ?? []).map(([, resource = '']) => resource)]);
  expect(others).toEqual([...resources].sort().map((resource) => ['ANY', resource, 'Unrouted']));
});

test('`Unrouted` gets the methods of each path', () => {
  expect(JSON.parse(String(environments(template).Unrouted?.ROUTES))).toMatchObject({
    '/docs': ['GET'],
    '/v1/attestations': ['POST', 'GET'],
    '/v1/attestations/{id}/child': ['POST'],
  });
});

test('the API is the same on an emulator', () => {
  expect(methodsOf(synthesize({ emulator: 'ministack' }))).toEqual(methodsOf(template));
});

test('the API passes every body as bytes and compresses large responses', () => {
  template.hasResourceProperties('AWS::ApiGateway::RestApi', {
    BinaryMediaTypes: ['*/*'],
    MinimumCompressionSize: 10_240,
  });
});

test('the stage has the throttle of the settings', () => {
  template.hasResourceProperties('AWS::ApiGateway::Stage', {
    StageName: 'live',
    MethodSettings: [
      {
        HttpMethod: '*',
        ResourcePath: '/*',
        ThrottlingRateLimit: 7,
        ThrottlingBurstLimit: 9,
        DataTraceEnabled: false,
      },
      ...['/~1docs', '/~1openapi.json'].map((ResourcePath) => ({
        ...{ HttpMethod: 'GET', ResourcePath, DataTraceEnabled: false },
        ...{ ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 },
      })),
    ],
  });
});

test('the access log contains no body and no header', () => {
  const [stage] = Object.values(template.findResources('AWS::ApiGateway::Stage'));
  const format: string = stage?.Properties.AccessLogSetting.Format;
  expect(Object.keys(JSON.parse(format)).sort()).toEqual([
    'httpMethod',
    'ip',
    'protocol',
    'requestId',
    'requestTime',
    'resourcePath',
    'responseLength',
    'status',
  ]);
});

test.each([
  ['MISSING_AUTHENTICATION_TOKEN', '404', 'not found'],
  ['INVALID_SIGNATURE', '404', 'not found'],
  // A status here would be that of every 4xx answer that is not named.
  ['DEFAULT_4XX', undefined, 'request refused'],
  ['BAD_REQUEST_BODY', '400', 'bad request'],
  ['REQUEST_TOO_LARGE', '413', 'request body too large'],
  ['THROTTLED', '429', 'rate limit exceeded'],
  ['QUOTA_EXCEEDED', '429', 'rate limit exceeded'],
  ['INTEGRATION_FAILURE', undefined, 'internal error'],
  ['INTEGRATION_TIMEOUT', undefined, 'internal error'],
  ['DEFAULT_5XX', undefined, 'internal error'],
])('a gateway response for %s has the error shape of the service', (type, status, error) => {
  const response = gatewayResponse(type);
  expect(response).toMatchObject({ status, body: JSON.stringify({ error }) });
  const { 'Content-Type': _, ...common } = commonHeaders;
  const headers = Object.entries(common).map(([name, value]) => [
    `gatewayresponse.header.${name}`,
    `'${value}'`,
  ]);
  expect(response.headers).toMatchObject({
    ...Object.fromEntries(headers),
    'gatewayresponse.header.x-request-id': 'context.requestId',
  });
});

test('only the 429 response has Retry-After', () => {
  const header = 'gatewayresponse.header.Retry-After';
  expect(gatewayResponse('THROTTLED').headers[header]).toBe("'1'");
  expect(gatewayResponse('DEFAULT_5XX').headers).not.toHaveProperty([header]);
});

const routed = Object.values(functionAccess).filter((access) => 'route' in access);

const aliases = Object.entries(template.findResources('AWS::Lambda::Alias'));
const canaried = aliases.filter(([, { UpdatePolicy }]) => UpdatePolicy !== undefined);

test("a deployment gives each route's new version a tenth of the requests first", () => {
  const groups = template.findResources('AWS::CodeDeploy::DeploymentGroup');
  expect(canaried).toHaveLength(routed.length);
  for (const [, { UpdatePolicy, Properties }] of canaried) {
    const group = groups[referenceOf(UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName)];
    expect(referenceOf(Properties.FunctionName)).toMatch(/^Api/);
    expect(group?.Properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_REQUEST', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
    });
    expect(referenceOf(group?.Properties.AlarmConfiguration.Alarms[0].Name)).toMatch(/^AlarmsApiErrors/);
  }
});

test('the functions of workflows are replaced at once, because a lane cannot run two versions', () => {
  const others = aliases
    .filter((one) => !canaried.includes(one))
    .map(([id]) => id.slice(0, -'Aliaslive'.length - 8));
  expect(others.filter((id) => id.startsWith('Api'))).toEqual([expect.stringMatching(/^ApiUnrouted/)]);
  expect(others.filter((id) => id.startsWith('Workflow'))).toHaveLength(6);
});

test('`allAtOnce` and an emulator have no canary', () => {
  for (const without of [synthesize({ allAtOnce: true }), synthesize({ emulator: 'ministack' })]) {
    without.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
    for (const { UpdatePolicy } of Object.values(without.findResources('AWS::Lambda::Alias')))
      expect(UpdatePolicy).toBeUndefined();
  }
});

const shared = synthesize({ corsOrigins: ['https://editor.example'] });

test('gateway responses have CORS headers if the settings allow an origin', () => {
  const responses = Object.values(shared.findResources('AWS::ApiGateway::GatewayResponse'));
  expect(responses.length).toBeGreaterThan(10);
  for (const { Properties } of responses) {
    expect(Properties.ResponseParameters).toMatchObject({
      'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
      'gatewayresponse.header.Access-Control-Expose-Headers': "'Retry-After, x-request-id'",
    });
  }
});

test('gateway responses have no CORS headers by default', () => {
  expect(JSON.stringify(template.toJSON())).not.toContain('Access-Control');
});
