import { describe, expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { attestationRow, rowFields } from '../../../../functions/domain/attestation/attestation-records.ts';
import {
  type AttestationFilter,
  listAttestations,
} from '../../../../functions/domain/attestation/list-attestations.ts';
import { failAttestation } from '../../../../functions/domain/steps/fail.ts';
import { alice, bob, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

const { organizationId } = alice;
const url = 'https://paper.example/a?b=ä#c';
const chainIds = [5, chainId];

async function create(world: World, text: string, request: { url?: string } = {}): Promise<Attestation> {
  world.clock.advance(1);
  return (await world.create(alice, text, request)).attestation;
}

async function createFailed(
  world: World,
  text: string,
  request: { url?: string } = {},
): Promise<Attestation> {
  const attestation = await create(world, text, request);
  await failAttestation(world.services, attestation, 'too expensive');
  return attestation;
}

/** Returns the ids of all pages, each of at most `limit` attestations, and the number of pages. */
async function readPages({ records }: World, filter: AttestationFilter, limit = 200) {
  const ids: string[] = [];
  let count = 0;
  let before: string | undefined;
  do {
    const page = await listAttestations(records, organizationId, { limit, before, filter, chainIds });
    expect(page.attestations.length).toBeLessThanOrEqual(limit);
    ids.push(...page.attestations.map(({ id }) => id));
    before = page.next;
    count += 1;
  } while (before !== undefined);
  return { ids, count };
}

/** Creates attestations of mixed contents, URLs, statuses and times. @returns them, newest first */
async function createMixed(world: World): Promise<Attestation[]> {
  const made = [
    await createFailed(world, 'a', { url }),
    await create(world, 'b', { url }),
    await createFailed(world, 'a', { url: 'https://paper.example/other' }),
    await create(world, 'c'),
    await create(world, 'a', { url }),
    await createFailed(world, 'd', { url }),
    await create(world, 'e', { url: 'https://paper.example/' }),
    await create(world, 'f', { url }),
  ];
  await world.create(bob, 'a', { url });
  return made.toReversed();
}

test('a filtered list contains all attestations that match every filter, once each, newest first, for any page size', async () => {
  const world = makeWorld();
  const rows = await Promise.all((await createMixed(world)).map((one) => world.row(one)));
  const timeOf = (position: number) => new Date(String(rows[position]?.createdAt));
  const choices: { [Name in keyof AttestationFilter]: AttestationFilter[Name][] } = {
    contentCid: [undefined, rows[3]?.contentCid, rows[0]?.contentCid],
    url: [undefined, url, 'https://paper.example/none'],
    status: [undefined, 'failed', 'pending', 'confirmed'],
    createdAfter: [undefined, timeOf(5)],
    createdBefore: [undefined, timeOf(1)],
  };
  const filters = Object.entries(choices).reduce<AttestationFilter[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
  expect(filters).toHaveLength(3 * 3 * 4 * 2 * 2);
  for (const filter of filters) {
    const { contentCid, status, createdAfter, createdBefore } = filter;
    const expected = rows
      .filter((row) => contentCid === undefined || row.contentCid === contentCid)
      .filter((row) => filter.url === undefined || row.url === filter.url)
      .filter((row) => status === undefined || row.status === status)
      .filter((row) => createdAfter === undefined || row.createdAt >= createdAfter.toISOString())
      .filter((row) => createdBefore === undefined || row.createdAt < createdBefore.toISOString())
      .map(({ id }) => id);
    for (const limit of [1, 3, 200]) expect((await readPages(world, filter, limit)).ids).toEqual(expected);
  }
  // No page is empty, not even one after a full page.
  for (const limit of [1, 2, 3, 4, 8, 9])
    expect((await readPages(world, {}, limit)).count).toBe(Math.ceil(rows.length / limit));
});

describe('a list by URL', () => {
  test.each([
    ['https://PAPER.example', 'https://paper.example/'],
    ['https://paper.example:443/a', 'HTTPS://paper.example/a'],
    ['https://paper.example/ä', 'https://paper.example/%C3%A4'],
  ])('finds %s as %s, which are equal by the URL standard', async (stored, requested) => {
    const world = makeWorld();
    const { id, contentCid } = await create(world, 'a', { url: stored });
    for (const filter of [{ url: requested }, { url: requested, contentCid }]) {
      expect((await readPages(world, filter)).ids).toEqual([id]);
    }
  });

  test('reads only the attestations that it shows', async () => {
    const world = makeWorld();
    for (let n = 0; n < 50; n++) await create(world, `article ${n}`);
    await create(world, 'a', { url });
    world.records.reads.reset();
    await readPages(world, { url });
    expect(world.records.reads.items).toBe(2);
  });
});

describe('a list by status', () => {
  const rows = 4_500;

  /** Stores copies of an attestation, a millisecond apart. @returns their ids, newest first */
  async function copyRow(world: World): Promise<string[]> {
    const attestation = await create(world, 'a');
    const ids: string[] = [];
    for (let n = 0; n < rows; n++) {
      const hex = (Date.parse(attestation.createdAt) - n).toString(16).padStart(12, '0');
      const id = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
      await world.records.update({
        key: attestationRow({ organizationId, id }),
        put: rowFields(attestation),
      });
      ids.push(id);
    }
    return ids;
  }

  test('ends a page with few matches before it reads too much, and the next page continues after it', async () => {
    const world = makeWorld();
    const ids = await copyRow(world);
    const oldest = { organizationId, id: ids.at(-1) ?? '' };
    await world.records.update({ key: attestationRow(oldest), set: { status: 'failed' } });
    const request = { limit: 50, filter: { status: 'failed' } } as const;
    world.records.reads.reset();
    const page = await listAttestations(world.records, organizationId, request);
    expect(page.attestations).toEqual([]);
    expect(page.next).toBeDefined();
    expect(world.records.reads.items).toBeLessThanOrEqual(2_000);
    expect(await readPages(world, { status: 'failed' })).toEqual({ ids: [oldest.id], count: 3 });
  });

  test('stops reading at `createdAfter`', async () => {
    const world = makeWorld();
    const ids = await copyRow(world);
    const createdAfter = new Date(Number.parseInt(String(ids[100]).replaceAll('-', '').slice(0, 12), 16));
    world.records.reads.reset();
    expect(await readPages(world, { status: 'failed', createdAfter })).toEqual({ ids: [], count: 1 });
    expect(world.records.reads.items).toBeLessThanOrEqual(400);
  });
});
