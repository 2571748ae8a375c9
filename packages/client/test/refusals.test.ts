import { expect, it } from 'vitest';
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
import { childId, id } from './attestations.ts';
import { apiKey, clientOf } from './client-of.ts';
import { type FakeAnswer, fakeApi } from './fake-api.ts';

const content = 'a text that nobody may see yet';

/** What an attempt to attest fails with when it is answered so. */
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
])('has a class for %i %j', async (status, body, type) => {
  const error = await failure([status, body, { 'x-request-id': 'r-1' }]);
  expect(error).toBeInstanceOf(type);
  expect(error).toMatchObject({ name: type.name, status, message: body.error, requestId: 'r-1' });
});

it('names every issue of a request, and keeps them apart', async () => {
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

it('says which chain lacks the delegation, and where help is', async () => {
  const api = await fakeApi([
    409,
    { error: 'no active delegation for chain 5', chainId: 5 },
    { link: '</live/v1/chains>; rel="help"' },
  ]);
  const attested = clientOf(api).client.attest(content);
  await expect(attested).rejects.toMatchObject({ chainId: 5, helpUrl: `${api.url}/live/v1/chains` });
});

it('says when to come back', async () => {
  expect(await failure([429, {}, { 'retry-after': '17' }])).toMatchObject({ retryAfterSeconds: 17 });
  const date = { 'retry-after': 'Sat, 21 Nov 2026 12:01:30 GMT' };
  expect(await failure([503, {}, date])).toMatchObject({ retryAfterSeconds: 90 });
});

it.each<[string, FakeAnswer]>([
  ['a web page', [200, '<html>Welcome</html>']],
  ['a redirect', [301, '', { location: 'https://example.org/' }]],
  ['nothing', [204]],
  ['a 304 that was not asked for', [304]],
])('takes %s for the answer of something else', async (_, answer) => {
  expect(await failure(answer)).toMatchObject({ name: 'AnswerUnusableError' });
});

const stranger = 'does not answer as this service does: is the URL the right one?';

it.each([
  { hello: 1 },
  [],
  { id: 1, status: 'pending' },
  { id },
  { attestations: {}, chains: 'none' },
  { attestations: [null], chains: [null] },
  { attestations: [{ id }], chains: [{}] },
])('takes %j for the answer of something else, whatever was asked', async (body) => {
  const { client, clock } = clientOf(await fakeApi([200, body]));
  const asked = [
    client.attest(content),
    client.get(id),
    client.link(id, childId),
    client.list(),
    client.listAll().next(),
    client.chains(),
    client.waitUntilConfirmed(id),
    client.waitUntilLinked(id, childId),
  ];
  for (const outcome of await Promise.allSettled(asked)) {
    expect(outcome).toMatchObject({
      reason: { name: 'AnswerUnusableError', message: expect.stringContaining(stranger) },
    });
  }
  expect(clock.slept).toEqual([]);
});

it.each<FakeAnswer>([
  [400, { error: 'invalid request', issues: 'none' }],
  [401, { error: 'invalid or missing API key' }],
  [502, `<html>Bad gateway: ${content}, ${apiKey}</html>`],
  [404, { oops: `${content} ${apiKey}` }],
  [200, `${content} ${apiKey}`],
  'hang up',
])('keeps content and key out of the error for %j', async (answer) => {
  const error = await failure(answer);
  expect(error).toBeInstanceOf(ImprimaturError);
  const all = [error, (error as Error).cause].map(
    (part) => `${part} ${JSON.stringify(part)} ${(part as Error)?.stack}`,
  );
  expect(all.join()).not.toContain(content);
  expect(all.join()).not.toContain(apiKey);
});
