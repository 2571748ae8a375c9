import { describe, expect, it } from 'vitest';
import { ArgumentInvalidError, ImprimaturClient } from '../src/imprimatur.ts';
import { apiKey, attestation, childId, clientOf, fakeApi, id } from './fake-api.ts';

it('`attest` sends the unchanged content, its fields and the key', async () => {
  const summary = { id, status: 'pending', contentCid: 'bafk', chainId: 31337, authorityAddress: '0x1' };
  const api = await fakeApi([202, summary]);
  const content = '\ufeff \r\n\u0000e\u0301 é 🖋 \n';
  const fields = { chainId: 31337, url: 'https://example.org/1', metadata: { a: [1] } };
  const accepted = await clientOf(api).client.attest(content, fields);
  expect(accepted).toEqual({ created: true, attestation: summary });
  const [request] = api.received;
  expect(request).toMatchObject({ method: 'POST', url: '/v1/attestations' });
  expect(request?.headers).toMatchObject({
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
  });
  expect(JSON.parse(request?.body ?? '')).toEqual({ content, ...fields });
});

it('`attest` refuses missing content and content that is not a string', async () => {
  const api = await fakeApi('hang up');
  for (const content of [undefined, Buffer.from('a')])
    await expect(Reflect.apply(clientOf(api).client.attest, undefined, [content])).rejects.toMatchObject({
      ...{ name: 'ArgumentInvalidError', message: 'content must be a string: the text to attest' },
    });
  expect(api.received).toEqual([]);
});

it.each(['', `${id}/child`, '../../keys'])('`get` refuses the ID %j without a request', async (text) => {
  const api = await fakeApi([200, attestation()]);
  await expect(clientOf(api).client.get(text)).rejects.toThrow(ArgumentInvalidError);
  expect(api.received).toEqual([]);
});

describe('the list methods', () => {
  const next = { link: `</live/v1/attestations?limit=2&cursor=${id}>; rel="next"` };

  it('`list` returns one page, and the cursor of the next one', async () => {
    const api = await fakeApi([200, { attestations: [attestation()] }, next], [200, { attestations: [] }]);
    const { client } = clientOf(api);
    const page = await client.list({ limit: 2, cursor: childId });
    expect(page).toEqual({ attestations: [attestation()], nextCursor: id });
    expect(await client.list()).toEqual({ attestations: [] });
    const urls = [`/v1/attestations?limit=2&cursor=${childId}`, '/v1/attestations'];
    expect(api.received.map(({ url }) => url)).toEqual(urls);
  });

  it('`listAll` iterates over all pages with its filters', async () => {
    const api = await fakeApi(
      [200, { attestations: [attestation({ id: childId }), attestation()] }, next],
      [200, { attestations: [] }, next],
      [200, { attestations: [attestation({ status: 'failed' })] }],
    );
    const filter = { status: 'failed', createdAfter: new Date(0), createdBefore: '2026-11-22' } as const;
    const statuses: string[] = [];
    for await (const item of clientOf(api).client.listAll({ ...filter, url: undefined }))
      statuses.push(item.status);
    expect(statuses).toEqual(['pending', 'pending', 'failed']);
    const query =
      'status=failed&createdAfter=1970-01-01T00%3A00%3A00.000Z&createdBefore=2026-11-22&limit=200';
    expect(api.received.map(({ url }) => url)).toEqual([
      `/v1/attestations?${query}`,
      `/v1/attestations?${query}&cursor=${id}`,
      `/v1/attestations?${query}&cursor=${id}`,
    ]);
  });

  it('`listAll` takes only the cursor from the Link header, so the key is not sent to other hosts', async () => {
    const stranger = await fakeApi([200, { attestations: [] }]);
    const link = { link: `<${stranger.url}/v1/attestations?cursor=${id}>; rel="next"` };
    const api = await fakeApi([200, { attestations: [] }, link], [200, { attestations: [] }]);
    for await (const _ of clientOf(api).client.listAll());
    expect(api.received).toHaveLength(2);
    expect(stranger.received).toEqual([]);
  });
});

it('`link` returns whether the link is queued or already exists', async () => {
  const linked = attestation({ childAttestationId: childId });
  const api = await fakeApi([202, linked], [200, linked]);
  const { client } = clientOf(api);
  expect(await client.link(id, childId)).toEqual({ queued: true, attestation: linked });
  expect(await client.link(id, childId)).toEqual({ queued: false, attestation: linked });
  expect(api.received[0]).toMatchObject({
    method: 'POST',
    url: `/v1/attestations/${id}/child`,
    body: JSON.stringify({ childAttestationId: childId }),
  });
});

describe('the options', () => {
  it('must include url and apiKey', () => {
    for (const [options, message] of [
      [undefined, 'missing url and apiKey; use new ImprimaturClient({ url, apiKey })'],
      [{ url: 'https://example.org', apiKey: null }, 'missing apiKey;'],
    ])
      expect(() => Reflect.construct(ImprimaturClient, [options])).toThrow(String(message));
  });

  it('accept a URL with a path and trailing slashes', async () => {
    const api = await fakeApi([200, { chains: [] }]);
    await new ImprimaturClient({ url: `${api.url}/restapis/x/live/`, apiKey }).chains();
    expect(api.received[0]?.url).toBe('/restapis/x/live/v1/chains');
  });

  it.each([
    ['example.org', 'url must be the http or https URL'],
    ['ftp://example.org', 'url must be the http or https URL'],
    ['https://a:b@example.org', 'no user, query'],
    ['https://example.org/?key=1', 'no user, query'],
    ['http://example.org', 'use https'],
    ['http://localhost.example.org', 'use https'],
    ['http://127.0.0.2', 'use https'],
  ])('must not have the URL %j', (url, message) => {
    expect(() => new ImprimaturClient({ url, apiKey })).toThrow(ArgumentInvalidError);
    expect(() => new ImprimaturClient({ url, apiKey })).toThrow(message);
  });

  it.each([
    ['http://LOCALHOST:4566', false],
    ['http://[::1]:80', false],
    ['http://example.org', true],
  ])('accept the URL %s with allowHttp %j', (url, allowHttp) => {
    expect(() => new ImprimaturClient({ url, apiKey, allowHttp })).not.toThrow();
  });

  it.each(['', 'a b', 'line\n', 'schlüssel'])('must not have the key %j', (key) => {
    const client = () => new ImprimaturClient({ url: 'https://example.org', apiKey: key });
    expect(client).toThrow('apiKey must be a key');
  });
});
