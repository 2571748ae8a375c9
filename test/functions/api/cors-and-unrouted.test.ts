import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { corsHeaders } from '../../../functions/api/http/cors.ts';
import { publicText } from '../../../functions/api/http/public-text.ts';
import { route } from '../../../functions/api/http/route.ts';
import { settingsSchema } from '../../../functions/domain/settings.ts';
import { aliceKey, call, world } from '../../fakes/world/api-client.ts';

const ourOrigin = 'https://editor.example';
const exposed = 'Location, Link, Retry-After, ETag, x-request-id';
const allowed = {
  'Access-Control-Allow-Origin': ourOrigin,
  'Access-Control-Expose-Headers': exposed,
  Vary: 'Origin',
};
const log = { info: () => {}, warn: () => {}, error: () => {} };

/** Makes two routes for these origins: one that needs a key and fails with the query `fail`, and a public one. */
function deploy(...corsOrigins: string[]) {
  vi.stubEnv('SETTINGS', JSON.stringify({ corsOrigins }));
  const handle = async ({ queryStringParameters }: APIGatewayProxyEvent) => {
    if (queryStringParameters?.fail) throw new Error('unexpected');
    return { status: 200, body: {} };
  };
  const open = publicText({ type: 'text/plain', text: 'for everyone' });
  return { withKey: route({ access: 'read', records: world.records, log, handle }), open };
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

describe('an answer', () => {
  test('is readable by pages of a configured origin, and of no other', async () => {
    const { withKey } = deploy('https://example.org', ourOrigin);
    const answer = await call(withKey, { headers: { Origin: ourOrigin } }, aliceKey);
    expect(answer).toMatchObject({ status: 200, headers: allowed });
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, {}]) {
      const other = await call(withKey, { headers }, aliceKey);
      expect(other.headers).toMatchObject({ Vary: 'Origin' });
      expect(Object.keys(other.headers).join()).not.toContain('Access-Control');
    }
  });

  test('is readable even if it is an error, or the route needs no key', async () => {
    const { withKey, open } = deploy(ourOrigin);
    const headers = { origin: ourOrigin };
    expect(await call(withKey, { headers }, '')).toMatchObject({ status: 401, headers: allowed });
    const failed = await call(withKey, { headers, query: { fail: 'yes' } }, aliceKey);
    expect(failed).toMatchObject({ status: 500, headers: allowed });
    expect(await open(eventOf(ourOrigin))).toMatchObject({ statusCode: 200, headers: allowed });
  });

  test('has no CORS headers when no origin is configured', async () => {
    const { withKey, open } = deploy();
    const { status, headers } = await call(withKey, { headers: { origin: ourOrigin } }, aliceKey);
    expect(status).toBe(200);
    const names = [headers, (await open(eventOf(ourOrigin))).headers ?? {}].flatMap(Object.keys);
    expect(names.filter((name) => /^(Access-Control|Vary)/i.test(name))).toEqual([]);
  });
});

/** Makes an event with the fields that `publicText` reads. */
function eventOf(origin: string): APIGatewayProxyEvent {
  return { headers: { origin }, requestContext: { requestId: 'r-1' } } as unknown as APIGatewayProxyEvent;
}

test('`corsHeaders` names no origin when any page may read, so that caches keep one answer', () => {
  expect(corsHeaders(['*'], ourOrigin)).toEqual({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': exposed,
  });
});

test.each([
  [[ourOrigin, 'http://localhost:5173', 'https://xn--bcher-kva.example:8443'], true],
  [['*'], true],
  [['*', ourOrigin], false],
  [['null'], false],
  // No browser sends these.
  [['https://editor.example/'], false],
  [['https://editor.example/path'], false],
  [['https://Editor.example'], false],
  [['https://editor.example:443'], false],
  [['https://*.example'], false],
  [['editor.example'], false],
  [['file://'], false],
  [['https://a.example","b'], false],
  [[''], false],
])('origins %j are a valid setting: %s', (corsOrigins, accepted) => {
  const chains = [{ chainId: 1, name: 'One', registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381' }];
  expect(settingsSchema.safeParse({ chains, corsOrigins }).success).toBe(accepted);
});

const routes = { '/v1/attestations': ['POST', 'GET'] };

/** Calls the function for requests without a route, with these CORS origins. */
async function send(resource: string, { corsOrigins = [] as string[], httpMethod = 'PUT' } = {}) {
  vi.stubEnv('ROUTES', JSON.stringify(routes));
  vi.stubEnv('SETTINGS', JSON.stringify({ corsOrigins }));
  const { handler } = await import('../../../functions/api/unrouted.ts');
  const headers = { origin: ourOrigin };
  const event = { resource, httpMethod, headers, requestContext: { requestId: 'request' } };
  const { body, ...answer } = await handler(event as unknown as APIGatewayProxyEvent);
  return { ...answer, body: body === '' ? undefined : JSON.parse(body) };
}

const commonHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-cache',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'x-request-id': 'request',
};

test('the answer to another method lists the allowed methods', async () => {
  expect(await send('/v1/attestations')).toEqual({
    statusCode: 405,
    headers: { ...commonHeaders, Allow: 'POST, GET' },
    body: { error: 'method not allowed' },
  });
});

test.each(['/', '/{proxy+}'])('a path without a route gets 404: %s', async (resource) => {
  expect(await send(resource)).toEqual({
    statusCode: 404,
    headers: commonHeaders,
    body: { error: 'not found' },
  });
});

describe('a preflight request', () => {
  const httpMethod = 'OPTIONS';

  test('gets the allowed methods and headers', async () => {
    expect(
      await send('/v1/attestations', {
        corsOrigins: ['https://a.example', ourOrigin],
        httpMethod,
      }),
    ).toEqual({
      statusCode: 204,
      headers: {
        ...commonHeaders,
        Vary: 'Origin',
        'Access-Control-Allow-Origin': ourOrigin,
        'Access-Control-Expose-Headers': 'Location, Link, Retry-After, ETag, x-request-id',
        'Access-Control-Allow-Methods': 'POST, GET',
        'Access-Control-Allow-Headers': 'Authorization, x-api-key, Content-Type, If-None-Match',
        'Access-Control-Max-Age': '7200',
      },
      body: undefined,
    });
  });

  test('gets no CORS headers for a page of another origin', async () => {
    const { statusCode, headers } = await send('/v1/attestations', {
      corsOrigins: ['https://a.example'],
      httpMethod,
    });
    expect([statusCode, headers]).toEqual([204, { ...commonHeaders, Vary: 'Origin' }]);
  });

  test('is answered like any other method if CORS is off or the route is unknown', async () => {
    expect((await send('/v1/attestations', { httpMethod })).statusCode).toBe(405);
    vi.resetModules();
    const unknown = await send('/{proxy+}', { httpMethod, corsOrigins: [ourOrigin] });
    expect(unknown).toMatchObject({ statusCode: 404, headers: { 'Access-Control-Allow-Origin': ourOrigin } });
  });

  test('uses a method that `Allow` lists', async () => {
    const { headers } = await send('/v1/attestations', { corsOrigins: [ourOrigin] });
    expect(headers).toMatchObject({ Allow: 'POST, GET, OPTIONS', 'Access-Control-Allow-Origin': ourOrigin });
  });
});
