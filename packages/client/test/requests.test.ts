import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  ApiKeyInvalidError,
  AttestationUnconfirmedError,
  ContentRevokedError,
  DelegationInactiveError,
  ImprimaturError,
  NotFoundError,
  RateLimitedError,
  RefusalError,
  RequestInvalidError,
  RequestTooLargeError,
  ServiceUnavailableError,
} from '../src/imprimatur.ts';
import { apiKey, childId, clientOf, type FakeAnswer, fakeApi, id } from './fake-api.ts';

const done: FakeAnswer = [200, { chains: [] }];

describe('a request', () => {
  it.each([429, 500, 502, 503, 504])('is repeated after a %i', async (status) => {
    const api = await fakeApi([status, {}], done);
    expect(await clientOf(api).client.chains()).toEqual([]);
    expect(api.received).toHaveLength(2);
  });

  it('is repeated unchanged after a connection error', async () => {
    const api = await fakeApi('hang up', 'hang up', [202, { id: 'x', status: 'pending' }]);
    expect(await clientOf(api).client.attest('a')).toMatchObject({ created: true });
    expect(api.received.map(({ body }) => body)).toEqual(Array(3).fill('{"content":"a"}'));
  });

  it.each([400, 401, 403, 404, 409, 413])('is not repeated after a %i', async (status) => {
    const api = await fakeApi([status, {}], done);
    await expect(clientOf(api).client.chains()).rejects.toMatchObject({ status });
    expect(api.received).toHaveLength(1);
  });

  it('fails with the last refusal after the maximum number of attempts', async () => {
    const api = await fakeApi([503, {}], [429, {}], [502, {}], [503, { error: 'the last' }]);
    await expect(clientOf(api, { tries: 4 }).client.chains()).rejects.toThrow('the last');
    expect(api.received).toHaveLength(4);
  });

  it.each([
    ['shortest', 0, [0.25, 0.5, 1, 2, 4, 8, 10, 10]],
    ['longest', 1, [0.5, 1, 2, 4, 8, 16, 20, 20]],
  ])('waits longer after each failure: the %s random pauses', async (_, chance, slept) => {
    const { client, clock } = clientOf(await fakeApi([503, {}]), { random: () => chance, tries: 9 });
    await expect(client.chains()).rejects.toThrow(ServiceUnavailableError);
    expect(clock.slept).toEqual(slept);
  });

  it('waits for the time in Retry-After, in seconds or as a date', async () => {
    const api = await fakeApi(
      [429, {}, { 'retry-after': '17' }],
      [429, {}, { 'retry-after': '60' }],
      [503, {}, { 'retry-after': 'Sat, 21 Nov 2026 12:02:00 GMT' }],
      [503, {}, { 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }],
      [503, {}, { 'retry-after': 'soon' }],
      done,
    );
    const { client, clock } = clientOf(api);
    await client.chains();
    expect(clock.slept).toEqual([17, 60, 43, 0, 8 * 0.5]);
  });

  it('does not wait for more than a minute', async () => {
    const api = await fakeApi([429, {}, { 'retry-after': '61' }], done);
    await expect(clientOf(api).client.chains()).rejects.toMatchObject({ retryAfterSeconds: 61 });
    expect(api.received).toHaveLength(1);
  });

  it('fails after the time limit', async () => {
    let requests = 0;
    const unanswered: typeof fetch = (_, { signal } = {}) => {
      requests += 1;
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    };
    const api = { url: 'http://127.0.0.1:2', received: [] };
    const { client } = clientOf(api, { timeoutSeconds: 0.05, tries: 2, fetch: unanswered });
    await expect(client.chains()).rejects.toThrow(`no answer from ${api.url}: no answer within 0.05 s`);
    expect(requests).toBe(2);
  });

  it('may have a time limit that is too long for `setTimeout`', async () => {
    const slow: typeof fetch = async (...request) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return fetch(...request);
    };
    const options = { timeoutSeconds: 2 ** 31, fetch: slow, tries: 1 };
    expect(await clientOf(await fakeApi(done), options).client.chains()).toEqual([]);
  });

  it("names the system's error code", async () => {
    const { client } = clientOf({ url: 'http://127.0.0.1:2', received: [] }, { tries: 1 });
    const message = 'no answer from http://127.0.0.1:2 (ECONNREFUSED)';
    await expect(client.chains()).rejects.toMatchObject({ name: 'ConnectionFailedError', message });
  });
});

describe('an aborted signal', () => {
  const reason = new Error('enough');

  it('prevents a request', async () => {
    const api = await fakeApi(done);
    await expect(clientOf(api).client.chains({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(api.received).toEqual([]);
  });

  it('ends a pending request', async () => {
    const api = await fakeApi('say nothing');
    const controller = new AbortController();
    const calls = clientOf(api, { tries: 1 }).client.chains({ signal: controller.signal });
    const ended = expect(calls).rejects.toBe(reason);
    await expect.poll(() => api.received.length).toBe(1);
    controller.abort(reason);
    await ended;
  });

  it('ends the pause before a retry', async () => {
    const api = await fakeApi([429, {}, { 'retry-after': '50' }]);
    const controller = new AbortController();
    const { client } = clientOf(api, { clock: undefined });
    const calls = client.chains({ signal: controller.signal });
    const check = setInterval(() => api.received.length > 0 && controller.abort(reason), 5);
    await expect(calls).rejects.toBe(reason);
    clearInterval(check);
    expect(api.received).toHaveLength(1);
  });
});

it('a request leaves no listener on its signal after an answer', async () => {
  const { signal } = new AbortController();
  const api = await fakeApi([503, {}, { 'retry-after': '0' }], done);
  const { client } = clientOf(api, { clock: undefined, fetch: (url) => fetch(url) });
  await client.chains({ signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('`attest` refuses metadata that JSON cannot represent', async () => {
  const { client, clock } = clientOf({ url: 'http://127.0.0.1:1', received: [] });
  await expect(client.attest('a', { metadata: { views: 1n } })).rejects.toMatchObject({
    ...{ name: 'ArgumentInvalidError', message: expect.stringContaining('cannot be written as JSON') },
  });
  expect(clock.slept).toEqual([]);
});

const content = 'a text that nobody may see yet';

/** The error of `attest` for this answer. */
async function failure(answer: FakeAnswer): Promise<unknown> {
  const { client } = clientOf(await fakeApi(answer), { tries: 1 });
  return client.attest(content).catch((error: unknown) => error);
}

it.each([
  [400, { error: 'no chainId given and no default configured' }, RequestInvalidError],
  [401, { error: 'invalid or missing API key' }, ApiKeyInvalidError],
  [403, { error: 'forbidden' }, RefusalError],
  [404, { error: 'attestation not found' }, NotFoundError],
  [409, { error: 'no active delegation for chain 1', chainId: 1 }, DelegationInactiveError],
  [
    409,
    { error: 'content was revoked on chain 1 and cannot be attested again', chainId: 1 },
    ContentRevokedError,
  ],
  [409, { error: 'attestation not yet confirmed (status pending)' }, AttestationUnconfirmedError],
  [413, { error: 'request body too large' }, RequestTooLargeError],
  [429, { error: 'rate limit exceeded' }, RateLimitedError],
  [500, { error: 'internal error' }, ServiceUnavailableError],
  [503, { error: 'busy; try again' }, ServiceUnavailableError],
])('`attest` throws the error class for the answer %i %j', async (status, body, type) => {
  const error = await failure([status, body, { 'x-request-id': 'r-1' }]);
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ name: type.name, status, message: body.error, requestId: 'r-1' });
});

it('the error for an invalid request lists all issues', async () => {
  const issues = [
    { path: ['content'], message: 'must not be empty' },
    { path: ['metadata', 0], message: 'is wrong' },
  ];
  const error = await failure([400, { error: 'invalid request', issues }]);
  expect(error).toMatchObject({
    message: 'invalid request: content: must not be empty; metadata: 0: is wrong',
    issues,
  });
});

it.each<[string, FakeAnswer]>([
  ['a web page', [200, '<html>Welcome</html>']],
  ['a redirect', [301, '', { location: 'https://example.org/' }]],
  ['nothing', [204]],
  ['an unexpected 304', [304]],
])('%s is not an answer of this service', async (_, answer) => {
  expect(await failure(answer)).toMatchObject({ name: 'AnswerUnusableError' });
});

const unusableMessage = 'does not respond like this service; check the URL';

it.each([
  { hello: 1 },
  [],
  { id, attestations: {}, chains: 'none' },
  { attestations: [null], chains: [null] },
  { attestations: [{ id }], chains: [{}] },
])('%j is not an answer of this service, for any method', async (body) => {
  const { client, clock } = clientOf(await fakeApi([200, body]));
  const calls = [
    client.attest(content),
    client.get(id),
    client.link(id, childId),
    client.list(),
    client.listAll().next(),
    client.chains(),
    client.proof(id),
    client.waitUntilConfirmed(id),
    client.waitUntilLinked(id, childId),
  ];
  for (const outcome of await Promise.allSettled(calls)) {
    expect(outcome).toMatchObject({
      reason: { name: 'AnswerUnusableError', message: expect.stringContaining(unusableMessage) },
    });
  }
  expect(clock.slept).toEqual([]);
});

it.each<FakeAnswer>([
  [502, `<html>Bad gateway: ${content}, ${apiKey}</html>`],
  [404, { oops: `${content} ${apiKey}` }],
  [200, `${content} ${apiKey}`],
  'hang up',
])('the error for %j contains neither content nor key', async (answer) => {
  const error = await failure(answer);
  expect(error).toBeInstanceOf(ImprimaturError);
  const all = [error, (error as Error).cause].map(
    (part) => `${part} ${JSON.stringify(part)} ${(part as Error)?.stack}`,
  );
  expect(all.join()).not.toContain(content);
  expect(all.join()).not.toContain(apiKey);
});
