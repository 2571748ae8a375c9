import { expect, test } from 'vitest';
import { referenceOf, synthesize } from './synthesize.ts';

const template = synthesize();
const onEmulator = synthesize({ emulator: true });

/** The methods of a template, those with a function and those without. */
function methodsOf(stack: typeof template, withFunction: boolean) {
  return Object.values(stack.findResources('AWS::ApiGateway::Method'))
    .map(({ Properties }) => Properties)
    .filter(({ Integration }) => (Integration.Type === 'AWS_PROXY') === withFunction);
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
  const methods = methodsOf(template, true).map(({ HttpMethod, ResourceId, Integration }) => [
    HttpMethod,
    referenceOf(ResourceId).replace(/^Api(.*).{8}$/, '$1'),
    referenceOf(Integration.Uri['Fn::Join'][1].at(-2)).replace(/^Api(.*).{8}$/, '$1'),
  ]);
  expect(methods.sort()).toEqual([
    ['GET', 'docs', 'DocsPage'],
    ['GET', 'openapijson', 'OpenapiDocument'],
    ['GET', 'v1attestations', 'ListAttestations'],
    ['GET', 'v1attestationsid', 'GetAttestation'],
    ['GET', 'v1chains', 'ListChains'],
    ['POST', 'v1attestations', 'CreateAttestation'],
    ['POST', 'v1attestationsidchild', 'LinkChild'],
  ]);
});

test('answers every other method and route in the shape of the service', () => {
  const others = methodsOf(template, false);
  const resources = others.map(({ HttpMethod, ResourceId }) => [HttpMethod, JSON.stringify(ResourceId)]);
  expect(resources.sort()).toEqual([
    ['ANY', expect.stringContaining('"RootResourceId"')],
    ['ANY', expect.stringMatching(/"Ref":"Apiproxy/)],
  ]);
  for (const { AuthorizationType, Integration, MethodResponses } of others) {
    expect(AuthorizationType).toBe('NONE');
    expect(Integration).toMatchObject({
      Type: 'MOCK',
      PassthroughBehavior: 'NEVER',
      RequestTemplates: { 'application/json': '{"statusCode":404}' },
    });
    expect(Integration.IntegrationResponses).toEqual([
      {
        StatusCode: '404',
        ResponseParameters: {
          'method.response.header.Cache-Control': "'private, no-cache'",
          'method.response.header.x-request-id': 'context.requestId',
        },
        ResponseTemplates: { 'application/json': '{"error":"not found"}' },
      },
    ]);
    const declared = Object.keys(Integration.IntegrationResponses[0].ResponseParameters);
    expect(Object.keys(MethodResponses[0].ResponseParameters).sort()).toEqual(declared.sort());
  }
});

test('leaves unknown routes to the gateway response on an emulator, which fills in no request id elsewhere', () => {
  expect(methodsOf(onEmulator, false)).toEqual([]);
  expect(methodsOf(onEmulator, true)).toHaveLength(methodsOf(template, true).length);
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
  // Only the route that answers unknown ones looks at the content type.
  ['UNSUPPORTED_MEDIA_TYPE', '404', 'not found'],
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
  expect(response.headers).toMatchObject({
    'gatewayresponse.header.Cache-Control': "'private, no-cache'",
    'gatewayresponse.header.x-request-id': 'context.requestId',
  });
});

test('says when to come back to whoever was too fast, and to nobody else', () => {
  const header = 'gatewayresponse.header.Retry-After';
  expect(gatewayResponse('THROTTLED').headers[header]).toBe("'1'");
  expect(gatewayResponse('DEFAULT_5XX').headers).not.toHaveProperty([header]);
});
