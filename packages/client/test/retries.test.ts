import { describe, expect, it } from 'vitest';
import {
  ArgumentInvalidError,
  ConnectionFailedError,
  RateLimitedError,
  ServiceUnavailableError,
} from '../src/imprimatur.ts';
import { clientOf } from './client-of.ts';
import { type FakeAnswer, fakeApi } from './fake-api.ts';

const done: FakeAnswer = [200, { chains: [] }];

describe('a request', () => {
  it.each([429, 500, 502, 503, 504])('is made again after a %i', async (status) => {
    const api = await fakeApi([status, {}], done);
    expect(await clientOf(api).client.chains()).toEqual([]);
    expect(api.received).toHaveLength(2);
  });

  it('is made again, the same, when the connection breaks', async () => {
    const api = await fakeApi('hang up', 'hang up', [202, { id: 'x', status: 'pending' }]);
    expect(await clientOf(api).client.attest('a')).toMatchObject({ created: true });
    expect(api.received.map(({ body }) => body)).toEqual([
      '{"content":"a"}',
      '{"content":"a"}',
      '{"content":"a"}',
    ]);
  });

  it.each([400, 401, 403, 404, 409, 413])('is made once when a %i refuses it', async (status) => {
    const api = await fakeApi([status, {}], done);
    await expect(clientOf(api).client.chains()).rejects.toMatchObject({ status });
    expect(api.received).toHaveLength(1);
  });

  it('ends after a number of tries with the last refusal', async () => {
    const api = await fakeApi([503, {}], [429, {}], [502, {}], [503, { error: 'the last' }]);
    await expect(clientOf(api, { tries: 4 }).client.chains()).rejects.toThrow('the last');
    expect(api.received).toHaveLength(4);
  });

  it('waits for longer and longer, half of it by chance', async () => {
    const api = await fakeApi([503, {}]);
    const least = clientOf(api, { random: () => 0, tries: 9 });
    await expect(least.client.chains()).rejects.toThrow(ServiceUnavailableError);
    expect(least.clock.slept).toEqual([0.25, 0.5, 1, 2, 4, 8, 10, 10]);
    const most = clientOf(api, { random: () => 1, tries: 9 });
    await expect(most.client.chains()).rejects.toThrow(ServiceUnavailableError);
    expect(most.clock.slept).toEqual([0.5, 1, 2, 4, 8, 16, 20, 20]);
  });

  it('waits as long as the service says, in seconds or as a date', async () => {
    const api = await fakeApi(
      [429, {}, { 'retry-after': '17' }],
      [503, {}, { 'retry-after': 'Sat, 21 Nov 2026 12:01:00 GMT' }],
      [503, {}, { 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }],
      [503, {}, { 'retry-after': 'soon' }],
      done,
    );
    const { client, clock } = clientOf(api);
    await client.chains();
    expect(clock.slept).toEqual([17, 43, 0, 4 * 0.5]);
  });

  it('is not made again when the service says to come back much later', async () => {
    const api = await fakeApi([429, {}, { 'retry-after': '43200' }], done);
    const { client, clock } = clientOf(api);
    await expect(client.chains()).rejects.toMatchObject({ retryAfterSeconds: 43_200 });
    await expect(client.chains()).resolves.toEqual([]);
    expect(clock.slept).toEqual([]);
  });

  it('ends when no answer comes in time', async () => {
    const api = await fakeApi('say nothing');
    const { client } = clientOf(api, { timeoutSeconds: 0.05, tries: 2 });
    await expect(client.chains()).rejects.toThrow(`no answer from ${api.url}: no answer within 0.05 s`);
    expect(api.received).toHaveLength(2);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 31])(
    'may take %d s, more than a timer holds',
    async (timeoutSeconds) => {
      const api = await fakeApi(done);
      const slow: typeof fetch = async (...request) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return fetch(...request);
      };
      const { client } = clientOf(api, { timeoutSeconds, fetch: slow, tries: 1 });
      expect(await client.chains()).toEqual([]);
    },
  );

  it('names the system’s reason when nobody listens', async () => {
    const { client } = clientOf({ url: 'http://127.0.0.1:1', received: [] }, { tries: 1 });
    await expect(client.chains()).rejects.toThrow(ConnectionFailedError);
    await expect(client.chains()).rejects.toThrow(/^no answer from http:\/\/127\.0\.0\.1:1/);
  });
});

describe('an aborted signal', () => {
  const reason = new Error('enough');

  it('keeps a request from being made', async () => {
    const api = await fakeApi(done);
    await expect(clientOf(api).client.chains({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(api.received).toEqual([]);
  });

  it('ends a request that is under way', async () => {
    const api = await fakeApi('say nothing');
    const controller = new AbortController();
    const asked = clientOf(api, {
      tries: 1,
      fetch: (...request) => {
        setTimeout(() => controller.abort(reason), 10);
        return fetch(...request);
      },
    }).client.chains({ signal: controller.signal });
    await expect(asked).rejects.toBe(reason);
  });

  it('ends the pause before the next try', async () => {
    const api = await fakeApi([429, {}, { 'retry-after': '50' }]);
    const controller = new AbortController();
    const { client } = clientOf(api, { clock: undefined });
    const asked = client.chains({ signal: controller.signal });
    const check = setInterval(() => api.received.length > 0 && controller.abort(reason), 5);
    await expect(asked).rejects.toBe(reason);
    clearInterval(check);
    expect(api.received).toHaveLength(1);
  });

  it('leaves no listener behind once a request is answered', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (...given: Parameters<typeof add>) => {
        listeners += 1;
        add(...given);
      },
      removeEventListener: (...given: Parameters<typeof remove>) => {
        listeners -= 1;
        remove(...given);
      },
    });
    const api = await fakeApi([503, {}, { 'retry-after': '0' }], done);
    const { client } = clientOf(api, { clock: undefined, fetch: (url) => fetch(url) });
    await client.chains({ signal });
    expect(listeners).toBe(0);
  });
});

it('spends no try on a rate limit of which nobody knows the end', async () => {
  const api = await fakeApi([429, {}, { 'retry-after': '61' }]);
  await expect(clientOf(api).client.chains()).rejects.toThrow(RateLimitedError);
  expect(api.received).toHaveLength(1);
});

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

it.each([
  ['a BigInt', { views: 1n }],
  ['a cycle', cyclic],
])('is not made with metadata that has %s, which JSON has no form for', async (_, metadata) => {
  const api = await fakeApi([202, { id: 'x', status: 'pending' }]);
  const { client, clock } = clientOf(api);
  const attested = client.attest('a', { metadata });
  await expect(attested).rejects.toThrow(ArgumentInvalidError);
  await expect(attested).rejects.toThrow('cannot be written as JSON');
  expect({ received: api.received, slept: clock.slept }).toEqual({ received: [], slept: [] });
});
