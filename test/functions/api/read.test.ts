import { describe, expect, test, vi } from 'vitest';
import { handler as get } from '../../../functions/api/get-attestation.ts';
import { handler as list } from '../../../functions/api/list-attestations.ts';
import { failAttestation } from '../../../functions/domain/steps/fail.ts';
import { bobKey, call, world } from '../../fakes/world/api-client.ts';
import { selfAttest } from '../../fakes/world/steps.ts';
import { alice, bob, chainId, registryAddress } from '../../fakes/world/world.ts';

vi.mock('../../../functions/adapters/compose-records.ts', () => import('../../fakes/world/composed.ts'));
vi.mock('../../../functions/adapters/aws/cloudwatch-log.ts', () => import('../../fakes/world/composed.ts'));
// The handlers read this variable when they are imported.
vi.hoisted(() => vi.stubEnv('SETTINGS', '{"chains":[{"chainId":31337}]}'));

const unknownId = '018f0000-0000-7000-8000-0000000000ff';

async function created(text: string, caller = alice) {
  world.clock.advance(1);
  const request = { url: 'https://a.example/ä?b', metadata: '{"secret":true}' };
  return (await world.create(caller, text, request)).attestation;
}

describe('GET /v1/attestations/:id', () => {
  test('shows a pending attestation without the fields that do not exist yet', async () => {
    const { id, contentCid, createdAt } = await created('pending');
    const { status, body, headers } = await call(get, { id });
    expect(status).toBe(200);
    expect(body).toStrictEqual({
      ...{ id, url: 'https://a.example/ä?b', contentCid },
      ...{ chainId, registryAddress, authorityAddress: alice.authorityAddress },
      ...{ status: 'pending', error: null, childAttestationId: null, childLinkTxHash: null, createdAt },
    });
    expect(headers['Retry-After']).toBe('5');
  });

  test('shows a confirmed attestation with its index and time, and no Retry-After', async () => {
    const { id } = await selfAttest(world, alice, 'confirmed');
    const { body, headers } = await call(get, { id });
    expect(body).toMatchObject({ status: 'confirmed', error: null });
    expect(body.attestationIndex).toBeGreaterThan(0);
    expect(body.confirmedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
    expect(headers).not.toHaveProperty('Retry-After');
  });

  test('answers the same 404 to an unknown id, a malformed id and an id of another organization', async () => {
    const theirs = await created('theirs', bob);
    const ids = [unknownId, 'x', '', `${unknownId}0`, '../../x', theirs.id];
    const replies = await Promise.all(ids.map((id) => call(get, { id })));
    expect(new Set(replies.map(({ text }) => text))).toEqual(new Set(['{"error":"attestation not found"}']));
    expect(replies.every(({ status }) => status === 404)).toBe(true);
    expect((await call(get, { id: theirs.id }, bobKey)).status).toBe(200);
  });

  test.each(['If-None-Match', 'if-none-match'])('answers 304 for %s while nothing changes', async (name) => {
    const { id } = await created(`tagged ${name}`);
    const first = await call(get, { id });
    const etag = first.headers.ETag ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    const second = await call(get, { id, headers: { [name]: etag } });
    expect([second.status, second.text, second.headers.ETag]).toEqual([304, '', etag]);
    await failAttestation(world.services, { ...alice, id }, 'some reason');
    const third = await call(get, { id, headers: { [name]: etag } });
    expect(third.status).toBe(200);
    expect(third.headers.ETag).not.toBe(etag);
  });

  test.each([
    ['a weak tag', (etag: string) => `W/${etag}`],
    ['one of several tags', (etag: string) => `"other", ${etag}`],
    ['an asterisk', () => '*'],
  ])('answers 304 for %s, as RFC 9110 requires', async (name, headerFor) => {
    const { id } = await created(`tagged ${name}`);
    const etag = (await call(get, { id })).headers.ETag ?? '';
    expect((await call(get, { id, headers: { 'If-None-Match': headerFor(etag) } })).status).toBe(304);
  });
});

describe('GET /v1/attestations', () => {
  test('lists full attestations of the organization only, newest first', async () => {
    const [older, newer] = [await created('older'), await created('newer')];
    const theirs = await created('theirs too', bob);
    const { status, body } = await call(list, {});
    const { attestations } = body as unknown as { attestations: { id: string }[] };
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['attestations']);
    expect(attestations.slice(0, 2).map(({ id }) => id)).toEqual([newer.id, older.id]);
    expect(attestations.some(({ id }) => id === theirs.id)).toBe(false);
    expect(attestations[0]).toStrictEqual((await call(get, { id: newer.id })).body);
    const { headers } = await call(list, { query: { limit: '1' } });
    expect(headers.Link).toBe(`</prod/v1/attestations?limit=1&cursor=${newer.id}>; rel="next"`);
  });

  test('ignores unknown parameters that do not look like a filter', async () => {
    expect((await call(list, { query: { utm_source: 'a', page: '2', cursor: unknownId } })).status).toBe(200);
  });

  const cid = `bafkrei${'a'.repeat(52)}`;
  const wrongLimit = 'must be an integer from 1 to 200';
  const noFilter =
    'the list has no such filter: it takes contentCid, url, status, createdAfter and createdBefore';

  test.each([
    [{ limit: '0' }, wrongLimit],
    [{ limit: '1.5' }, wrongLimit],
    [{ limit: '9999999999999999999' }, wrongLimit],
    [{ page_size: '1' }, 'did you mean limit?'],
    [{ cid: '1' }, 'did you mean contentCid?'],
    [{ until: '1' }, 'did you mean createdBefore?'],
    [{ chain_id: '1' }, noFilter],
    [{ status: 'done' }, 'must be one of pending, committed, confirmed, failed'],
    [{ url: 'a.example' }, 'must be a valid http or https URL'],
    [{ contentCid: cid.toUpperCase() }, expect.stringContaining('must be a CIDv1')],
    [{ createdAfter: 'yesterday' }, expect.stringContaining('must be an ISO 8601 time')],
    [{ createdBefore: '2026-11-22T09:00:00' }, expect.stringContaining('with its zone')],
    // A + that is not sent as %2B becomes a space.
    [{ createdAfter: '2026-11-22T09:00:00 01:00' }, expect.stringContaining('%2B')],
  ])('answers 400 to the query %j', async (query, message) => {
    const { status, body } = await call(list, { query });
    const issues = [{ path: Object.keys(query), message }];
    expect([status, body]).toStrictEqual([400, { error: 'invalid request', issues }]);
  });

  test('answers 400 to a repeated filter', async () => {
    const { status, body } = await call(list, {
      repeated: { status: ['pending', 'failed'], utm: ['a', 'b'] },
    });
    const issues = [{ path: ['status'], message: 'is given more than once' }];
    expect([status, body.issues]).toEqual([400, issues]);
  });

  test('pages through filtered attestations by links that keep the filter', async () => {
    const address = 'https://paper.example/ä?a=b&c';
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      world.clock.advance(1);
      const { attestation } = await world.create(alice, `filtered ${n}`, { url: address });
      ids.unshift(attestation.id);
    }
    const filter = { url: address, createdAfter: '2026-01-01', status: 'pending' };
    const seen: unknown[] = [];
    let query: Record<string, string> | undefined = { limit: '2', ...filter };
    let second: Record<string, string> = {};
    while (query) {
      const { status, body, headers } = await call(list, { query });
      expect(status).toBe(200);
      seen.push((body.attestations as { id: string }[]).map(({ id }) => id));
      const next: string | undefined = /\?(.*)>; rel="next"$/.exec(headers.Link ?? '')?.[1];
      query = next === undefined ? undefined : Object.fromEntries(new URLSearchParams(next));
      second = query ?? second;
    }
    expect(seen).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    expect(second).toMatchObject({ limit: '2', ...filter });
    const { cursor = '' } = second;
    const other = 'belongs to a list with other filters: send the same filters, or no cursor';
    const mismatches = [
      { cursor },
      { ...second, status: 'failed' },
      { ...second, contentCid: cid },
      { ...filter, cursor: cursor.slice(0, 36) },
    ];
    for (const mismatch of mismatches) {
      const { status, body } = await call(list, { query: mismatch });
      expect([status, body.issues]).toEqual([400, [{ path: ['cursor'], message: other }]]);
    }
    // The same time in another time zone.
    const alike = { ...second, createdAfter: '2026-01-01T01:00:00+01:00', limit: '9' };
    expect((await call(list, { query: alike })).status).toBe(200);
  });
});
