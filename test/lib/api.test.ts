import { expect, test } from 'vitest';
import { referenceOf, synthesize } from './synthesize.ts';

const template = synthesize();

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

test('has four methods, each with a function of its own', () => {
  const methods = Object.values(template.findResources('AWS::ApiGateway::Method')).map(({ Properties }) => [
    Properties.HttpMethod,
    referenceOf(Properties.ResourceId).replace(/^Api(.*).{8}$/, '$1'),
    referenceOf(Properties.Integration.Uri['Fn::Join'][1].at(-2)).replace(/^Api(.*).{8}$/, '$1'),
  ]);
  expect(methods.sort()).toEqual([
    ['GET', 'v1attestations', 'ListAttestations'],
    ['GET', 'v1attestationsid', 'GetAttestation'],
    ['POST', 'v1attestations', 'CreateAttestation'],
    ['POST', 'v1attestationsidchild', 'LinkChild'],
  ]);
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
  ['DEFAULT_4XX', '404', 'not found'],
  ['INVALID_SIGNATURE', '404', 'not found'],
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
