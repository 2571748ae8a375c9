import { beforeAll, expect, test } from 'vitest';
import type { Body } from './stack/http-client.ts';
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

test("a filter finds an organization's own, at once, and nothing of another's", async () => {
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

test("another organization's cursor shows nothing of it", async () => {
  const { body } = await other.api.list(`?cursor=${owned.id}`);
  expect(body).toEqual({ attestations: [] });
});

test('each organization sees its own list and the standing of its own delegation', async () => {
  expect((await other.api.list()).body).toEqual({ attestations: [] });
  expect(await idsOf(owner)).toEqual([owned.id]);
  expect(await registryState(other)).toEqual([false]);
  expect(await registryState(owner)).toEqual([true]);
});

/** Of each chain, whether the organization's delegation is active. */
async function registryState({ api }: Publisher): Promise<unknown[]> {
  const { body } = await api.send('GET', '/v1/chains');
  return (body.chains as { delegationActive: unknown }[]).map(({ delegationActive }) => delegationActive);
}

async function idsOf({ api }: Publisher): Promise<unknown[]> {
  return ((await api.list()).body.attestations as Body[]).map(({ id }) => id);
}
