import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, expect, test, vi } from 'vitest';

const routes = { '/v1/attestations': ['POST', 'GET'] };

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** What the function of a stack with that setting says to a request for that resource. */
async function ask(resource: string, corsOrigins: readonly string[] = []) {
  vi.stubEnv('ROUTES', JSON.stringify(routes));
  vi.stubEnv('SETTINGS', JSON.stringify({ corsOrigins }));
  const { handler } = await import('../../../functions/api/unrouted.ts');
  const headers = { origin: 'https://editor.example' };
  const event = { resource, headers, requestContext: { requestId: 'request' } };
  const { body, ...answer } = await handler(event as unknown as APIGatewayProxyEvent);
  return { ...answer, body: JSON.parse(body) };
}

const always = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-cache',
  'x-request-id': 'request',
};

test('says of another method which there are', async () => {
  expect(await ask('/v1/attestations')).toEqual({
    statusCode: 405,
    headers: { ...always, Allow: 'POST, GET' },
    body: { error: 'method not allowed' },
  });
});

test.each(['/', '/{proxy+}'])('answers that %s is no route', async (resource) => {
  expect(await ask(resource)).toEqual({ statusCode: 404, headers: always, body: { error: 'not found' } });
});

test('lets pages read it where pages may', async () => {
  const { headers } = await ask('/{proxy+}', ['https://editor.example']);
  expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': 'https://editor.example', Vary: 'Origin' });
});
