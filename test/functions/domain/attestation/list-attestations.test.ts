import { expect, test } from 'vitest';
import { findAttestation } from '../../../../functions/domain/attestation/attestation-records.ts';
import { listAttestations } from '../../../../functions/domain/attestation/list-attestations.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

async function createSome(world: World, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    world.clock.advance(1);
    ids.push((await world.create(alice, `article ${n}`, { metadata: `{"n":${n}}` })).attestation.id);
  }
  return ids.reverse();
}

test('lists an organisation’s attestations newest first, and no other records of it', async () => {
  const world = makeWorld();
  const ids = await createSome(world, 5);
  await world.create(bob, 'theirs');
  const { attestations, next } = await listAttestations(world.records, alice.organizationId, { limit: 50 });
  expect(attestations.map(({ id }) => id)).toEqual(ids);
  expect(attestations[0]?.organizationId).toBe(alice.organizationId);
  expect(next).toBeUndefined();
});

test('an organisation without attestations has an empty list', async () => {
  const list = await listAttestations(makeWorld().records, alice.organizationId, { limit: 1 });
  expect(list).toEqual({ attestations: [] });
});

test.each([1, 2, 3, 4, 7])('pages of %i hold every attestation once, and the last says so', async (limit) => {
  const world = makeWorld();
  const ids = await createSome(world, 6);
  const seen: string[] = [];
  let before: string | undefined;
  do {
    const page = await listAttestations(world.records, alice.organizationId, { limit, before });
    seen.push(...page.attestations.map(({ id }) => id));
    expect(page.attestations.length).toBeGreaterThan(0);
    before = page.next;
    expect(before).toBe(seen.length < ids.length ? seen.at(-1) : undefined);
  } while (before !== undefined);
  expect(seen).toEqual(ids);
});

test('a page stays what it is while new ones arrive', async () => {
  const world = makeWorld();
  const ids = await createSome(world, 4);
  const before = ids[1] ?? '';
  world.clock.advance(10);
  await world.create(alice, 'newer');
  const { attestations } = await listAttestations(world.records, alice.organizationId, { limit: 9, before });
  expect(attestations.map(({ id }) => id)).toEqual(ids.slice(2));
});

test('an attestation is not there for another organisation', async () => {
  const world = makeWorld();
  const [id = ''] = await createSome(world, 1);
  const { organizationId } = bob;
  expect(await findAttestation(world.records, { organizationId, id })).toBeUndefined();
  expect((await listAttestations(world.records, organizationId, { limit: 9 })).attestations).toEqual([]);
});
