import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { corsHeaders } from '../../../functions/api/http/cors.ts';
import { publicText } from '../../../functions/api/http/public-text.ts';
import { route } from '../../../functions/api/http/route.ts';
import { settingsSchema } from '../../../functions/domain/settings.ts';
import { aliceKey, call, world } from '../../fakes/world/api-client.ts';

const ours = 'https://editor.example';
const exposed = 'Location, Link, Retry-After, ETag, x-request-id';
const allowed = {
  'Access-Control-Allow-Origin': ours,
  'Access-Control-Expose-Headers': exposed,
  Vary: 'Origin',
};
const log = { info: () => {}, warn: () => {}, error: () => {} };

/** Routes of a deployment with these origins: one for keys, which the query `fail` makes fail, and one for everyone. */
function deploy(...corsOrigins: string[]) {
  vi.stubEnv('SETTINGS', JSON.stringify({ corsOrigins }));
  const handle = async ({ queryStringParameters }: APIGatewayProxyEvent) => {
    if (queryStringParameters?.fail) throw new Error('nobody foresaw this');
    return { status: 200, body: {} };
  };
  const open = publicText({ type: 'text/plain', text: 'for everyone' });
  return { closed: route({ records: world.records, log, handle }), open };
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

describe('an answer', () => {
  test('is readable by pages of a configured origin, and of no other', async () => {
    const { closed } = deploy('https://example.org', ours);
    const mine = await call(closed, { headers: { Origin: ours } }, aliceKey);
    expect(mine).toMatchObject({ status: 200, headers: allowed });
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, {}]) {
      const other = await call(closed, { headers }, aliceKey);
      expect(other.headers).toMatchObject({ Vary: 'Origin' });
      expect(Object.keys(other.headers).join()).not.toContain('Access-Control');
    }
  });

  test('is readable when it is an error and when it needs no key', async () => {
    const { closed, open } = deploy(ours);
    const headers = { origin: ours };
    expect(await call(closed, { headers }, '')).toMatchObject({ status: 401, headers: allowed });
    const failed = await call(closed, { headers, query: { fail: 'yes' } }, aliceKey);
    expect(failed).toMatchObject({ status: 500, headers: allowed });
    expect(await open(eventOf(ours))).toMatchObject({ statusCode: 200, headers: allowed });
  });

  test('has no CORS headers when no origin is configured', async () => {
    const { closed, open } = deploy();
    const { status, headers } = await call(closed, { headers: { origin: ours } }, aliceKey);
    expect(status).toBe(200);
    const names = [headers, (await open(eventOf(ours))).headers ?? {}].flatMap(Object.keys);
    expect(names.filter((name) => /^(Access-Control|Vary)/i.test(name))).toEqual([]);
  });
});

/** What `publicText` reads of a request. */
function eventOf(origin: string): APIGatewayProxyEvent {
  return { headers: { origin }, requestContext: { requestId: 'r-1' } } as unknown as APIGatewayProxyEvent;
}

test('names no origin when any page may read, so that caches keep one answer', () => {
  expect(corsHeaders(['*'], ours)).toEqual({
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': exposed,
  });
});

test.each([
  [[ours, 'http://localhost:5173', 'https://xn--bcher-kva.example:8443'], true],
  [['*'], true],
  [['*', ours], false],
  // No browser sends these.
  [['https://editor.example/'], false],
  [['https://editor.example/path'], false],
  [['https://Editor.example'], false],
  [['https://editor.example:443'], false],
  [['https://*.example'], false],
  [['editor.example'], false],
  [['null'], false],
  [['file://'], false],
  [['https://a.example","b'], false],
  [[''], false],
])('origins %j are a valid setting: %s', (corsOrigins, accepted) => {
  const chains = [{ chainId: 1, name: 'One', registryAddress: '0x000000d505a5eaa8c108537Ce40Aa61E4A27D381' }];
  expect(settingsSchema.safeParse({ chains, corsOrigins }).success).toBe(accepted);
});

const routes = { '/v1/attestations': ['POST', 'GET'] };

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

test('the answer to another method lists the allowed methods', async () => {
  expect(await ask('/v1/attestations')).toEqual({
    statusCode: 405,
    headers: { ...always, Allow: 'POST, GET' },
    body: { error: 'method not allowed' },
  });
});

test.each(['/', '/{proxy+}'])('a path without a route gets 404: %s', async (resource) => {
  expect(await ask(resource)).toEqual({ statusCode: 404, headers: always, body: { error: 'not found' } });
});

describe('a preflight request', () => {
  const httpMethod = 'OPTIONS';

  test('receives what it may send', async () => {
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

  test('receives nothing for a page of another origin', async () => {
    const { statusCode, headers } = await ask('/v1/attestations', {
      corsOrigins: ['https://a.example'],
      httpMethod,
    });
    expect([statusCode, headers]).toEqual([204, { ...always, Vary: 'Origin' }]);
  });

  test('is answered like any other method without CORS, and on unknown routes', async () => {
    expect((await ask('/v1/attestations', { httpMethod })).statusCode).toBe(405);
    vi.resetModules();
    const unknown = await ask('/{proxy+}', { httpMethod, corsOrigins: [ours] });
    expect(unknown).toMatchObject({ statusCode: 404, headers: { 'Access-Control-Allow-Origin': ours } });
  });

  test('finds OPTIONS among the methods', async () => {
    const { headers } = await ask('/v1/attestations', { corsOrigins: [ours] });
    expect(headers).toMatchObject({ Allow: 'POST, GET, OPTIONS', 'Access-Control-Allow-Origin': ours });
  });
});
