import { expect, test } from 'vitest';
import { everyReply } from '../../../functions/api/http/reply.ts';
import { environments, referenceOf, synthesize } from '../synthesize.ts';

const template = synthesize();

/** Every method of a template: what it is, on which resource, and the function that answers it. */
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

/** The answer that API Gateway gives of its own for that type. */
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

test('has a function of its own for each method', () => {
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

test('has one function for every other method and route', () => {
  expect(methodsOf(template).filter(([method]) => method === 'ANY')).toEqual(
    [
      '/',
      'docs',
      'openapijson',
      'proxy',
      'v1attestations',
      'v1attestationsid',
      'v1attestationsidchild',
      'v1attestationsidproof',
      'v1attestationsidquotes',
      'v1chains',
    ].map((resource) => ['ANY', resource, 'Unrouted']),
  );
});

const routes = {
  '/openapi.json': ['GET'],
  '/docs': ['GET'],
  '/v1/chains': ['GET'],
  '/v1/attestations': ['POST', 'GET'],
  '/v1/attestations/{id}': ['GET'],
  '/v1/attestations/{id}/child': ['POST'],
  '/v1/attestations/{id}/proof': ['GET'],
  '/v1/attestations/{id}/quotes': ['POST'],
};

test('tells that function which methods there are', () => {
  expect(JSON.parse(String(environments(template).Unrouted?.ROUTES))).toEqual(routes);
});

test('is the same on an emulator', () => {
  expect(methodsOf(synthesize({ emulator: true }))).toEqual(methodsOf(template));
});

test('takes every body as bytes, and compresses what is large', () => {
  template.hasResourceProperties('AWS::ApiGateway::RestApi', {
    BinaryMediaTypes: ['*/*'],
    MinimumCompressionSize: 10_240,
  });
});

test('leaves the settings of the account alone', () => {
  template.resourceCountIs('AWS::ApiGateway::Account', 0);
});

test('is limited as the settings say', () => {
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

test('logs no body and no header', () => {
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
])('answers %s in the shape of the service', (type, status, error) => {
  const response = gatewayResponse(type);
  expect(response).toMatchObject({ status, body: JSON.stringify({ error }) });
  const { 'Content-Type': _, ...common } = everyReply;
  const headers = Object.entries(common).map(([name, value]) => [
    `gatewayresponse.header.${name}`,
    `'${value}'`,
  ]);
  expect(response.headers).toMatchObject({
    ...Object.fromEntries(headers),
    'gatewayresponse.header.x-request-id': 'context.requestId',
  });
});

test('says when to come back to whoever was too fast, and to nobody else', () => {
  const header = 'gatewayresponse.header.Retry-After';
  expect(gatewayResponse('THROTTLED').headers[header]).toBe("'1'");
  expect(gatewayResponse('DEFAULT_5XX').headers).not.toHaveProperty([header]);
});
