import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';

const ours = 'https://editor.example';
const routes = { '/v1/attestations': ['POST', 'GET'] };

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** What the function of a stack with that setting says to a request for that resource. */
async function ask(resource: string, { corsOrigins = [] as string[], httpMethod = 'PUT' } = {}) {
  vi.stubEnv('ROUTES', JSON.stringify(routes));
  vi.stubEnv('SETTINGS', JSON.stringify({ corsOrigins }));
  const { handler } = await import('../../../functions/api/unrouted.ts');
  const headers = { origin: ours };
  const event = { resource, httpMethod, headers, requestContext: { requestId: 'request' } };
  const { body, ...answer } = await handler(event as unknown as APIGatewayProxyEvent);
  return { ...answer, body: body === '' ? undefined : JSON.parse(body) };
}

const always = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-cache',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
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
  const { headers } = await ask('/{proxy+}', { corsOrigins: [ours] });
  expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': ours, Vary: 'Origin' });
});

describe('a browser that asks before it sends a key', () => {
  const httpMethod = 'OPTIONS';

  test('is told what it may send', async () => {
    expect(await ask('/v1/attestations', { corsOrigins: ['https://a.example', ours], httpMethod })).toEqual({
      statusCode: 204,
      headers: {
        ...always,
        Vary: 'Origin',
        'Access-Control-Allow-Origin': ours,
        'Access-Control-Expose-Headers': 'Location, Link, Retry-After, ETag, x-request-id',
        'Access-Control-Allow-Methods': 'POST, GET',
        'Access-Control-Allow-Headers': 'Authorization, x-api-key, Content-Type, If-None-Match',
        'Access-Control-Max-Age': '7200',
      },
      body: undefined,
    });
  });

  test('is told nothing for a page of another origin', async () => {
    const { statusCode, headers } = await ask('/v1/attestations', {
      corsOrigins: ['https://a.example'],
      httpMethod,
    });
    expect([statusCode, headers]).toEqual([204, { ...always, Vary: 'Origin' }]);
  });

  test('is answered as by any other method where there is no CORS, and on unknown routes', async () => {
    expect((await ask('/v1/attestations', { httpMethod })).statusCode).toBe(405);
    expect((await ask('/{proxy+}', { httpMethod, corsOrigins: [ours] })).statusCode).toBe(404);
  });

  test('finds OPTIONS among the methods where it is one', async () => {
    const { headers } = await ask('/v1/attestations', { corsOrigins: [ours] });
    expect(headers).toMatchObject({ Allow: 'POST, GET, OPTIONS' });
  });
});
