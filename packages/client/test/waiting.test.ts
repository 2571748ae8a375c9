import { describe, expect, it } from 'vitest';
import {
  AnswerUnusableError,
  ArgumentInvalidError,
  type Attestation,
  NotFoundError,
} from '../src/imprimatur.ts';
import { attestation, childId, clientOf, confirmed, type FakeAnswer, fakeApi, id } from './fake-api.ts';

const pollHeaders = { etag: '"one"', 'retry-after': '5' };
const pending: FakeAnswer = [200, attestation(), pollHeaders];
const unchanged: FakeAnswer = [304, undefined, pollHeaders];

describe('`waitUntilConfirmed`', () => {
  it('refuses a confirmed attestation without an index', async () => {
    const { attestationIndex: _, ...fields } = attestation(confirmed);
    const waited = clientOf(await fakeApi([200, fields])).client.waitUntilConfirmed(id);
    await expect(waited).rejects.toThrow(AnswerUnusableError);
  });

  it('polls as often as the service requests, sends the ETag, and reports each poll', async () => {
    const api = await fakeApi(
      pending,
      unchanged,
      [200, attestation({ status: 'committed' }), { etag: '"two"', 'retry-after': '7' }],
      [200, attestation(confirmed), { etag: '"three"' }],
    );
    const { client, clock } = clientOf(api);
    const progress: [Attestation['status'], number][] = [];
    const onProgress = ({ status }: Attestation, seconds: number) => progress.push([status, seconds]);
    expect(await client.waitUntilConfirmed(id, { onProgress })).toEqual(attestation(confirmed));
    expect(clock.slept).toEqual([5, 5, 7]);
    expect(api.received.map(({ headers }) => headers['if-none-match'])).toEqual([
      ...[undefined, '"one"', '"one"', '"two"'],
    ]);
    expect(progress).toEqual([
      ['pending', 0],
      ['pending', 5],
      ['committed', 10],
      ['confirmed', 17],
    ]);
  });

  it('fails with the message of an attestation that failed', async () => {
    const failed = attestation({ status: 'failed', error: 'internal error; submit the content again' });
    const api = await fakeApi(pending, [200, failed]);
    const message = 'the attestation failed: internal error; submit the content again';
    await expect(clientOf(api).client.waitUntilConfirmed(id)).rejects.toMatchObject({
      ...{ name: 'AttestationFailedError', message, attestation: failed },
    });
  });

  it('polls a last time before the time limit, and reports that the service continues', async () => {
    const api = await fakeApi(pending, unchanged);
    const { client, clock } = clientOf(api);
    await expect(client.waitUntilConfirmed(id, { timeoutSeconds: 12 })).rejects.toMatchObject({
      name: 'WaitTimeoutError',
      message: 'not confirmed after 12 s, still pending; the service continues',
      attestation: attestation(),
    });
    expect(clock.slept).toEqual([5, 5, expect.closeTo(0.8)]);
    expect(api.received).toHaveLength(4);
  });

  it('continues after an outage', async () => {
    const api = await fakeApi(
      pending,
      'hang up',
      [503, {}, { 'retry-after': '30' }],
      [502, {}],
      [200, attestation(confirmed)],
    );
    const { client, clock } = clientOf(api, { random: () => 1 });
    expect(await client.waitUntilConfirmed(id)).toEqual(attestation(confirmed));
    expect(clock.slept).toEqual([5, 1.5, 30, 3]);
  });

  it('limits the last poll to the remaining time', async () => {
    const api = await fakeApi([200, attestation(), { 'retry-after': '60' }], 'say nothing');
    const { client } = clientOf(api);
    const message =
      /^not confirmed after 60 s, still pending; .*; the last check failed: .* no answer within 2 s$/;
    await expect(client.waitUntilConfirmed(id, { timeoutSeconds: 60 })).rejects.toMatchObject({
      ...{ name: 'WaitTimeoutError', message: expect.stringMatching(message) },
    });
  });

  it('stops retrying at the time limit if no read succeeded', async () => {
    const api = await fakeApi([503, { error: 'busy; try again' }, { 'retry-after': '50' }]);
    const { client, clock } = clientOf(api);
    const waited = client.waitUntilConfirmed(id, { timeoutSeconds: 20 });
    await expect(waited).rejects.toThrow('no status received in 20 s: busy; try again');
    expect(clock.slept).toEqual([18]);
    expect(api.received).toHaveLength(2);
  });

  it('fails after the maximum number of attempts if no read succeeded', async () => {
    const api = await fakeApi([503, { error: 'busy; try again' }]);
    const waited = clientOf(api, { tries: 3 }).client.waitUntilConfirmed(id);
    await expect(waited).rejects.toMatchObject({
      name: 'ServiceUnavailableError',
      message: 'busy; try again',
    });
    expect(api.received).toHaveLength(3);
  });

  it.each([Number.NaN, 0, '5'])('refuses the time limit %j without a request', async (timeoutSeconds) => {
    const api = await fakeApi([200, attestation(confirmed)]);
    const waited = clientOf(api).client.waitUntilConfirmed(id, { timeoutSeconds: timeoutSeconds as number });
    await expect(waited).rejects.toThrow(ArgumentInvalidError);
    expect(api.received).toEqual([]);
  });

  it('accepts pauses and a time limit that are too long for `setTimeout`', async () => {
    const api = await fakeApi([200, attestation(), { 'retry-after': '3000000' }]);
    const controller = new AbortController();
    const { client } = clientOf(api, { clock: undefined });
    const options = { signal: controller.signal, timeoutSeconds: Number.POSITIVE_INFINITY };
    const waited = client.waitUntilConfirmed(id, options);
    await expect.poll(() => api.received.length).toBe(1);
    setTimeout(() => controller.abort(new Error('enough')), 300);
    await expect(waited).rejects.toThrow('enough');
    expect(api.received).toHaveLength(1);
  });

  it('fails immediately with a permanent error', async () => {
    const api = await fakeApi(pending, [404, { error: 'attestation not found' }]);
    await expect(clientOf(api).client.waitUntilConfirmed(id)).rejects.toThrow(NotFoundError);
  });

  it('pauses at least a second between polls', async () => {
    const api = await fakeApi([200, attestation(), { 'retry-after': '0' }], [200, attestation(confirmed)]);
    const { client, clock } = clientOf(api);
    await client.waitUntilConfirmed(id);
    expect(clock.slept).toEqual([1]);
  });

  it('fails with the reason of its signal', async () => {
    const api = await fakeApi(pending, unchanged);
    const controller = new AbortController();
    const reason = new Error('enough');
    const onProgress = (_: Attestation, seconds: number) => seconds > 9 && controller.abort(reason);
    const waited = clientOf(api).client.waitUntilConfirmed(id, { signal: controller.signal, onProgress });
    await expect(waited).rejects.toBe(reason);
    expect(api.received).toHaveLength(3);
  });
});

describe('`waitUntilLinked`', () => {
  const queued = attestation({ ...confirmed, childAttestationId: childId });

  it('returns the attestation with the hash of the link', async () => {
    const linked = { ...queued, childLinkTxHash: '0x1' };
    const api = await fakeApi([200, queued], [200, linked]);
    const { client, clock } = clientOf(api);
    expect(await client.waitUntilLinked(id, childId.toUpperCase())).toEqual(linked);
    expect(clock.slept).toEqual([5]);
  });

  it.each([
    [{ childLinkError: 'fees; post the link again' }, 'the link failed: fees; post the link again'],
    [{ childAttestationId: null }, 'the link failed: no link was requested'],
    [{ childAttestationId: id }, `the link failed: ${id} is linked instead`],
  ])('fails with %j', async (fields, message) => {
    const api = await fakeApi([200, queued], [200, { ...queued, ...fields }]);
    const waited = clientOf(api).client.waitUntilLinked(id, childId);
    await expect(waited).rejects.toMatchObject({ name: 'LinkFailedError', message });
  });
});
