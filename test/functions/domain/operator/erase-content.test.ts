import { describe, expect, test } from 'vitest';
import type { Attestation, AttestationKey } from '../../../../functions/domain/attestation/attestation.ts';
import { acceptAttestation } from '../../../../functions/domain/attestation/attestation-records.ts';
import { parseContent } from '../../../../functions/domain/attestation/content.ts';
import { readContent, readMetadata } from '../../../../functions/domain/attestation/content-records.ts';
import { eraseContent, findStoredContent } from '../../../../functions/domain/operator/erase-content.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import { override } from '../../../fakes/ports/port-overrides.ts';
import { alice, bob, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';
import {
  confirmedAttestation,
  failedAttestations,
  urlAndMetadata,
} from '../attestation/finished-attestations.ts';

const text = 'An article of a person.';

const longText = `${text} `.repeat(30_000);
const now = new Date('2026-02-01T00:00:00.000Z');
const chainIds = [chainId, 5];

async function erase(world: World, key: AttestationKey, records: Records = world.records, at = now) {
  await eraseContent(records, await findStoredContent(records, key, chainIds), at);
}

const storedText = ({ records }: World): string =>
  JSON.stringify(records.all(), (_, value) =>
    value instanceof Uint8Array ? new TextDecoder().decode(value) : value,
  );

const erasedAtOf = async (world: World, key: AttestationKey) =>
  ((await world.row(key)) as Attestation).erasedAt;

describe('erasing content', () => {
  test('removes content, metadata and url, but nothing else of the row', async () => {
    const world = makeWorld();
    const key = await confirmedAttestation(world, longText);
    const { url, ...before } = await world.row(key);
    expect(url).toBe(urlAndMetadata.url);
    await erase(world, key);
    expect(await world.row(key)).toEqual({ ...before, erasedAt: now.toISOString() });
    expect(await readContent(world.records, before)).toBeUndefined();
    expect(await readMetadata(world.records, key)).toBeUndefined();
    expect(storedText(world)).not.toMatch(/person|Writer|paper\.example/);
    // The hash of a URL would let anybody check a guess.
    expect(world.records.all().filter(({ key: { pk } }) => pk.includes('#url#'))).toEqual([]);
  });

  test('covers every attestation of the content, whichever one is named', async () => {
    const world = makeWorld();
    const [first, second] = await failedAttestations(world, text, 2);
    const last = await confirmedAttestation(world, text);
    if (!second) throw new Error('two attestations failed');
    await erase(world, first);
    for (const key of [first, second, last]) expect(await erasedAtOf(world, key)).toBe(now.toISOString());
    expect(storedText(world)).not.toMatch(/person|Writer|paper\.example/);
  });

  test('finds an attestation behind many newer ones of other contents', async () => {
    const world = makeWorld();
    const key = await confirmedAttestation(world, text);
    // Ids of one millisecond have no order.
    world.clock.advance(1);
    for (let other = 0; other < 501; other++) await world.create(alice, `Another ${other}`);
    await erase(world, key);
    expect(await erasedAtOf(world, key)).toBe(now.toISOString());
  });

  test('keeps other contents and other organizations unchanged', async () => {
    const world = makeWorld();
    const key = await confirmedAttestation(world, text);
    const other = await confirmedAttestation(world, 'Another.');
    const { attestation: elsewhere } = await world.create(bob, text, urlAndMetadata);
    await erase(world, key);
    expect(await readContent(world.records, await world.row(other))).toBe('Another.');
    expect(await readContent(world.records, elsewhere)).toBe(text);
    expect(await readMetadata(world.records, elsewhere)).toEqual(urlAndMetadata.metadata);
    expect(await world.row(elsewhere)).toMatchObject({ url: urlAndMetadata.url });
  });

  test('changes nothing when repeated', async () => {
    const world = makeWorld();
    const key = await confirmedAttestation(world, text);
    await erase(world, key);
    const before = world.records.all();
    world.records.writes.reset();
    await erase(world, key, world.records, new Date('2026-03-01T00:00:00.000Z'));
    expect(world.records.all()).toEqual(before);
    expect(world.records.writes.calls).toBe(0);
  });

  test.each([0, 1, 2])('completes after a crash before or after transaction %i', async (crashingWrite) => {
    for (const written of [false, true]) {
      const world = makeWorld();
      const keys = await failedAttestations(world, text, 45);
      const [key] = keys;
      let count = 0;
      const crashing = override<Records>(world.records, {
        transact: async (changes) => {
          const crash = count++ === crashingWrite;
          if (!crash || written) await world.records.transact(changes);
          if (crash) throw new Error('killed');
          return true;
        },
      });
      await expect(erase(world, key, crashing)).rejects.toThrow('killed');
      for (const one of keys) if (await erasedAtOf(world, one)) await expectErased(world, one);
      await erase(world, key);
      for (const one of keys) expect(await erasedAtOf(world, one)).toBe(now.toISOString());
      expect(storedText(world)).not.toMatch(/person|Writer|paper\.example/);
    }
  });
});

async function expectErased(world: World, key: AttestationKey): Promise<void> {
  const row = await world.row(key);
  expect([row.url, await readMetadata(world.records, key)]).toEqual([undefined, undefined]);
  expect(await readContent(world.records, row)).toBeUndefined();
}

describe('erased content posted again', () => {
  test('returns the existing attestation, and is not stored again', async () => {
    const world = makeWorld();
    const key = await confirmedAttestation(world, text);
    await erase(world, key);
    const { attestation, accepted } = await world.create(alice, text, urlAndMetadata);
    expect([attestation.id, attestation.url, accepted]).toEqual([key.id, undefined, false]);
    expect(storedText(world)).not.toMatch(/person|Writer|paper\.example/);
  });

  test('is attested again after a failure; erasing it then covers both attestations', async () => {
    const world = makeWorld();
    const [key] = await failedAttestations(world, text);
    await erase(world, key);
    const [again] = await failedAttestations(world, text);
    await erase(world, key, world.records, new Date('2026-03-01T00:00:00.000Z'));
    expect(await erasedAtOf(world, key)).toBe(now.toISOString());
    expect(await erasedAtOf(world, again)).toBe('2026-03-01T00:00:00.000Z');
  });
});

describe('erasing content is refused', () => {
  test('for an attestation of another organization', async () => {
    const world = makeWorld();
    const { id } = await confirmedAttestation(world, text);
    const key = { organizationId: bob.organizationId, id };
    await expect(erase(world, key)).rejects.toThrow(
      `${bob.organizationId} has no attestation with the ID ${id}; `,
    );
  });

  test('while an attestation of the content is in progress, even for one that failed before', async () => {
    const world = makeWorld();
    const [failed] = await failedAttestations(world, text);
    const { attestation } = await world.create(alice, text, urlAndMetadata);
    const before = world.records.all();
    for (const key of [failed, attestation]) {
      await expect(erase(world, key)).rejects.toThrow(`${attestation.id} of this content is still pending`);
    }
    expect(world.records.all()).toEqual(before);
  });

  test.each(['after a failure', 'on another chain'])(
    'when the content is posted again meanwhile %s',
    async (where) => {
      const world = makeWorld();
      const [key] = await failedAttestations(world, text);
      const found = await findStoredContent(world.records, key, chainIds);
      if (where === 'after a failure') await world.create(alice, text, urlAndMetadata);
      else await acceptElsewhere(world, key);
      const before = world.records.all();
      await expect(eraseContent(world.records, found, now)).rejects.toThrow('submitted again just now');
      expect(world.records.all()).toEqual(before);
    },
  );
});

async function acceptElsewhere(world: World, key: AttestationKey): Promise<void> {
  const attestation = { ...(await world.row(key)), id: alice.organizationId, chainId: 5 };
  const contentBytes = parseContent(text).bytes;
  expect(await acceptAttestation(world.records, { attestation, contentBytes })).toBe(true);
}
