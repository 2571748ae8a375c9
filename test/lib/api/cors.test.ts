import { expect, test } from 'vitest';
import { synthesize } from '../synthesize.ts';

const origins = ['https://editor.example', 'https://example.org'];
const template = synthesize({ corsOrigins: origins });

test('leaves the question before a request to the function of all other methods', () => {
  template.resourcePropertiesCountIs('AWS::ApiGateway::Method', { HttpMethod: 'OPTIONS' }, 0);
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
  expect(JSON.stringify(silent.toJSON())).not.toContain('Access-Control');
});
