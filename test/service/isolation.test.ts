import { beforeAll, expect, test } from 'vitest';
import { notFound, said, unauthorised } from './conformance/shapes.ts';
import { admin } from './stack/admin.ts';
import { type Answer, type Body, HttpClient } from './stack/http-client.ts';
import { article, newPublisher, type Publisher } from './stack/publisher.ts';

/** Of no other attestation. */
const url = `https://paper.example/${crypto.randomUUID()}`;

let owner: Publisher;
let other: Publisher;
let owned: Body;

beforeAll(async () => {
  [owner, other] = await Promise.all([newPublisher(), newPublisher({ delegated: false })]);
  owned = (await owner.api.create({ content: article(), url })).body;
});

/** Every route that needs a key, as one client sees them. */
function everyRoute(client: HttpClient, id: unknown): Promise<Answer[]> {
  return Promise.all([
    client.create({ content: article() }),
    client.list(),
    client.get(id),
    client.link(id, crypto.randomUUID()),
    client.quote(id, 'a'),
    client.send('GET', '/v1/chains'),
  ]);
}

test('a missing, malformed, unknown or revoked key is refused on every route, with the same bytes', async () => {
  const { apiKey, keyId } = await newPublisher({ delegated: false });
  await admin('key', 'revoke', keyId);
  const mistyped = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`;
  const answers: Answer[] = [];
  for (const key of [undefined, 'nonsense', mistyped, apiKey])
    answers.push(...(await everyRoute(new HttpClient(key), owned.id)));
  expect(answers).toHaveLength(24);
  for (const answer of answers) expect(said(answer)).toEqual(unauthorised);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test("another organisation's id has the same bytes as an unknown and a malformed one, on every route that takes it", async () => {
  const { api } = other;
  const answers: Answer[] = [];
  for (const id of [owned.id, crypto.randomUUID(), 'nonsense'])
    answers.push(await api.get(id), await api.link(id, crypto.randomUUID()), await api.quote(id, 'a'));
  for (const answer of answers) expect(said(answer)).toEqual(notFound);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test("another organisation's attestation as a child has the same bytes as one that does not exist", async () => {
  const stranger = await newPublisher();
  const { id } = (await stranger.api.create({ content: article() })).body;
  const children = [owned.id, crypto.randomUUID()];
  const answers = await Promise.all(children.map((child) => stranger.api.link(id, child)));
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  expect(new Set(answers.map(({ text }) => text))).toEqual(
    new Set(['{"error":"childAttestationId not found"}']),
  );
});

test("a filter finds an organisation's own, at once, and nothing of another's", async () => {
  const { id, contentCid } = owned;
  const filters = [
    { contentCid },
    { url },
    { status: 'pending' },
    { status: 'committed' },
    { contentCid, url },
  ];
  const idsFor = async ({ api }: Publisher, filter: object) => {
    const createdAfter = new Date(Date.now() - 3_600_000).toISOString();
    const query = new URLSearchParams({ ...filter, createdAfter });
    const { status, body } = await api.list(`?${query}`);
    expect(status).toBe(200);
    return (body.attestations as Body[]).map((one) => one.id);
  };
  const found = await Promise.all(filters.map((filter) => idsFor(owner, filter)));
  expect(found.map((ids) => ids.includes(id)).filter(Boolean).length).toBeGreaterThanOrEqual(3);
  expect(found[1]).toEqual([id]);
  for (const filter of filters) expect(await idsFor(other, filter)).toEqual([]);
});

test("another organisation's cursor shows nothing of it", async () => {
  const { body } = await other.api.list(`?cursor=${owned.id}`);
  expect(body).toEqual({ attestations: [] });
});

test('each organisation sees its own list and the standing of its own delegation', async () => {
  expect((await other.api.list()).body).toEqual({ attestations: [] });
  expect(await idsOf(owner)).toEqual([owned.id]);
  expect(await registryState(other)).toEqual([false]);
  expect(await registryState(owner)).toEqual([true]);
});

/** Of each chain, whether the organisation's delegation is active. */
async function registryState({ api }: Publisher): Promise<unknown[]> {
  const { body } = await api.send('GET', '/v1/chains');
  return (body.chains as { delegationActive: unknown }[]).map(({ delegationActive }) => delegationActive);
}

async function idsOf({ api }: Publisher): Promise<unknown[]> {
  return ((await api.list()).body.attestations as Body[]).map(({ id }) => id);
}
