import { expect, test } from 'vitest';
import { admin } from './admin.ts';
import { HttpClient } from './http-client.ts';
import { article, newPublisher } from './publisher.ts';
import { stack } from './running-stack.ts';

const unauthorised = { status: 401, body: { error: 'invalid or missing API key' } };
const notFound = { status: 404, body: { error: 'attestation not found' } };

test('a missing, malformed, unknown or revoked key is refused on every route, with the same body', async () => {
  const { api, apiKey, keyId } = await newPublisher();
  const { body } = await api.create({ content: article() });
  await admin('key', 'revoke', keyId);
  const mistyped = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`;
  for (const client of [
    new HttpClient(),
    new HttpClient('nonsense'),
    new HttpClient(mistyped),
    new HttpClient(apiKey),
  ]) {
    const answers = await Promise.all([
      client.create({ content: article() }),
      client.get(body.id),
      client.list(),
      client.link(body.id, crypto.randomUUID()),
    ]);
    for (const answer of answers) expect(answer).toMatchObject(unauthorised);
  }
});

test('an x-api-key header is accepted too', async () => {
  const { apiKey } = await newPublisher();
  const headers = { 'x-api-key': apiKey };
  expect((await fetch(`${stack.apiUrl}/v1/attestations`, { headers })).status).toBe(200);
});

test("another organisation's attestation is not found, with the same bytes as an unknown or malformed id", async () => {
  const [owner, other] = await Promise.all([newPublisher(), newPublisher()]);
  const { body } = await owner.api.create({ content: article() });
  for (const id of [body.id, crypto.randomUUID(), 'nonsense']) {
    expect(await other.api.get(id)).toMatchObject(notFound);
    expect(await other.api.link(id, crypto.randomUUID())).toMatchObject(notFound);
  }
  expect((await other.api.list()).body).toEqual({ attestations: [] });
  expect((await owner.api.list()).body.attestations).toHaveLength(1);
});

test('the same content of two organisations is two attestations', async () => {
  const [one, two] = await Promise.all([newPublisher(), newPublisher()]);
  const content = article();
  const [a, b] = await Promise.all([one.api.create({ content }), two.api.create({ content })]);
  expect([a.status, b.status]).toEqual([202, 202]);
  expect(a.body.contentCid).toBe(b.body.contentCid);
  expect(a.body.id).not.toBe(b.body.id);
});

test('a list is newest first, in pages that follow each other', async () => {
  const { api } = await newPublisher();
  const ids: unknown[] = [];
  for (let count = 0; count < 5; count++) ids.unshift((await api.create({ content: article() })).body.id);
  const idsOf = (body: Record<string, unknown>) =>
    (body.attestations as { id: string }[]).map(({ id }) => id);
  expect(idsOf((await api.list()).body)).toEqual(ids);
  const first = await api.list('?limit=2');
  expect(idsOf(first.body)).toEqual(ids.slice(0, 2));
  const next = /<[^?>]*\/v1\/attestations(\?[^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '');
  expect(idsOf((await api.list(next?.[1])).body)).toEqual(ids.slice(2, 4));
  expect((await api.list('?limit=5')).headers.get('link')).toBeNull();
});

test.each(['0', '201', '-1', '1.5', 'ten', ''])('a limit of "%s" is refused', async (limit) => {
  const { status, body } = await new HttpClient(stack.apiKey).list(`?limit=${limit}`);
  const issues = [{ path: ['limit'], message: 'must be an integer from 1 to 200' }];
  expect({ status, body }).toEqual({ status: 400, body: { error: 'invalid request', issues } });
});

test('an unknown route is not found', async () => {
  const answer = await new HttpClient(stack.apiKey).send('GET', '/v1/nothing');
  expect(answer).toMatchObject({ status: 404, body: { error: 'not found' } });
});
