import { expect, test } from 'vitest';
import { synthesize } from './synthesize.ts';

const origins = ['https://editor.example', 'https://example.org'];
const template = synthesize({ corsOrigins: origins });

function methodsOf(stack: typeof template, method: string) {
  return Object.values(
    stack.findResources('AWS::ApiGateway::Method', { Properties: { HttpMethod: method } }),
  ).map(({ Properties }) => Properties);
}

test('answers the question before a request on every resource, without a key', () => {
  const resources = Object.keys(template.findResources('AWS::ApiGateway::Resource'));
  const preflights = methodsOf(template, 'OPTIONS');
  // One more than there are resources: the root is none.
  expect(preflights).toHaveLength(resources.length + 1);
  for (const { Integration, AuthorizationType, ApiKeyRequired } of preflights) {
    expect({ AuthorizationType, ApiKeyRequired }).toEqual({
      AuthorizationType: 'NONE',
      ApiKeyRequired: false,
    });
    const [answer] = Integration.IntegrationResponses;
    expect(answer.ResponseParameters).toEqual({
      'method.response.header.Access-Control-Allow-Origin': "'https://editor.example'",
      'method.response.header.Vary': "'Origin'",
      'method.response.header.Access-Control-Allow-Methods': "'GET,POST'",
      'method.response.header.Access-Control-Allow-Headers':
        "'Authorization,x-api-key,Content-Type,If-None-Match'",
      'method.response.header.Access-Control-Max-Age': "'7200'",
    });
    expect(answer.ResponseTemplates['application/json']).toContain('$origin == "https://example.org"');
  }
});

test('lets every page read what no function makes', () => {
  const responses = Object.values(template.findResources('AWS::ApiGateway::GatewayResponse'));
  expect(responses.length).toBeGreaterThan(10);
  for (const { Properties } of responses) {
    expect(Properties.ResponseParameters).toMatchObject({
      'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
      'gatewayresponse.header.Access-Control-Expose-Headers': "'Retry-After, x-request-id'",
    });
  }
});

test('tells the functions of the origins', () => {
  const functions = Object.entries(template.findResources('AWS::Lambda::Function')).filter(([id]) =>
    /^Api/.test(id),
  );
  expect(functions.length).toBeGreaterThan(0);
  for (const [, { Properties }] of functions) {
    expect(JSON.parse(Properties.Environment.Variables.SETTINGS).corsOrigins).toEqual(origins);
  }
});

test('says nothing of origins unless it is told to', () => {
  const silent = synthesize();
  expect(methodsOf(silent, 'OPTIONS')).toEqual([]);
  expect(JSON.stringify(silent.toJSON())).not.toContain('Access-Control');
});
