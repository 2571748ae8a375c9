import { expect, test } from 'vitest';
import { ApiKeyInvalidError } from '../../../../functions/domain/errors.ts';
import {
  type ApiKeyMode,
  authenticate,
  createApiKey,
  generateApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../../../functions/domain/organization/api-keys.ts';
import {
  createOrganization,
  findOrganization,
  listOrganizations,
} from '../../../../functions/domain/organization/organization.ts';
import { updateOrganization } from '../../../../functions/domain/organization/update-organization.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import { MemoryRecords } from '../../../fakes/memory-records/memory-records.ts';
import { interrupt, override } from '../../../fakes/ports/port-overrides.ts';
import { alice, bob } from '../../../fakes/world/world.ts';

const now = new Date('2026-01-01T00:00:00.000Z');
const later = new Date('2026-02-01T00:00:00.000Z');
const { organizationId: id, authorityAddress } = alice;
const missing = `no organization has the ID ${id}`;
const created = { id, name: 'Example', authorityAddress, defaultChainId: 1, createdAt: now.toISOString() };
const limits = { attestationsPerDay: 5, inFlight: 2 };

const issue = (records: Records, mode: ApiKeyMode = 'live') =>
  createApiKey(records, { organizationId: id, mode, now });

async function withKeys(count: number) {
  const records = new MemoryRecords();
  await createOrganization(records, created);
  const keys: string[] = [];
  for (let number = 0; number < count; number++) keys.push((await issue(records)).key);
  return { records, keys };
}

const callers = (records: Records, keys: readonly string[]) =>
  Promise.all(keys.map((key) => authenticate(records, key, now)));

test('an authority belongs to one organization only', async () => {
  const { records } = await withKeys(0);
  await expect(createOrganization(records, { ...created, id: bob.organizationId })).rejects.toThrow(
    `the authority ${authorityAddress} exists already`,
  );
  expect(await listOrganizations(records)).toHaveLength(1);
});

test('an unknown organization has no keys, gets none and cannot be changed', async () => {
  const records = new MemoryRecords();
  await expect(findOrganization(records, id)).rejects.toThrow(missing);
  await expect(issue(records)).rejects.toThrow(missing);
  await expect(listApiKeys(records, id)).rejects.toThrow(missing);
  await expect(updateOrganization(records, id, { limits })).rejects.toThrow(missing);
  expect(records.all()).toEqual([]);
});

test.each([
  ['missing', undefined],
  ['empty', ''],
  ['mistyped', `${generateApiKey('live').slice(0, -1)}!`],
  ['unknown', generateApiKey('live')],
])('a key that is %s is refused', async (_, key) => {
  const { records } = await withKeys(1);
  await expect(authenticate(records, key, now)).rejects.toThrow(ApiKeyInvalidError);
});

test('several keys can be active; a revocation applies from the next request on, permanently', async () => {
  const { records } = await withKeys(0);
  const [key, other] = [await issue(records), await issue(records)];
  expect(await revokeApiKey(records, key.id, later)).toEqual({ id: key.id, revokedAt: later.toISOString() });
  await expect(authenticate(records, key.key, now)).rejects.toThrow(ApiKeyInvalidError);
  expect((await authenticate(records, other.key, now)).organizationId).toBe(id);
  expect((await revokeApiKey(records, key.id, now)).revokedAt).toBe(later.toISOString());
  await expect(revokeApiKey(records, 'none', now)).rejects.toThrow('no API key has the ID none');
});

test('listed and stored keys contain nothing that grants access', async () => {
  const { records } = await withKeys(0);
  const [key, other] = [await issue(records), await issue(records, 'test')];
  await revokeApiKey(records, other.id, later);
  const keys = await listApiKeys(records, id);
  expect(keys).toHaveLength(2);
  const expected = { id: key.id, organizationId: id, mode: 'live', revokedAt: null };
  expect(keys).toContainEqual({ ...expected, createdAt: now.toISOString() });
  expect(keys.find((one) => one.id === other.id)?.revokedAt).toBe(later.toISOString());
  expect(JSON.stringify(records.all())).not.toContain(key.key.slice(9, 41));
});

test('a change of an organization reaches its record, its list entry and its keys', async () => {
  const { records, keys } = await withKeys(2);
  const change = { name: 'Renamed', defaultChainId: 7, limits };
  expect(await updateOrganization(records, id, change)).toEqual({ ...created, ...change });
  expect(await findOrganization(records, id)).toEqual({ ...created, ...change });
  expect(await listOrganizations(records)).toEqual([{ ...created, ...change }]);
  for (const caller of await callers(records, keys))
    expect(caller).toMatchObject({ defaultChainId: 7, limits });
  expect(await authenticate(records, (await issue(records)).key, now)).toMatchObject({
    defaultChainId: 7,
    limits,
  });
});

test('fields that a change does not name stay the same, and limits are replaced as a whole', async () => {
  const { records, keys } = await withKeys(1);
  await updateOrganization(records, id, { limits });
  await updateOrganization(records, id, { defaultChainId: null });
  const [caller] = await callers(records, keys);
  expect(caller).toMatchObject({ defaultChainId: null, authorityAddress, limits });
  await updateOrganization(records, id, { limits: { inFlight: 3 } });
  expect((await callers(records, keys))[0]?.limits).toEqual({ inFlight: 3 });
  expect(await findOrganization(records, id)).toEqual({
    ...created,
    defaultChainId: null,
    limits: { inFlight: 3 },
  });
});

test('a revoked key stays revoked, and listed', async () => {
  const { records, keys } = await withKeys(2);
  const [revoked] = await listApiKeys(records, id);
  await revokeApiKey(records, revoked?.id ?? '', now);
  const listed = await listApiKeys(records, id);
  await updateOrganization(records, id, { limits });
  expect(await listApiKeys(records, id)).toEqual(listed);
  const answers = await Promise.allSettled(keys.map((key) => authenticate(records, key, now)));
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a change reaches more keys than fit in a transaction, also after a crash between two transactions', async () => {
  const { records, keys } = await withKeys(150);
  let left = 1;
  const crashing = override<Records>(records, {
    transact: (changes) => (left-- > 0 ? records.transact(changes) : Promise.reject(new Error('killed'))),
  });
  await expect(updateOrganization(crashing, id, { limits })).rejects.toThrow('killed');
  await updateOrganization(records, id, { limits });
  expect((await callers(records, keys)).map((caller) => caller.limits)).toEqual(keys.map(() => limits));
});

test('a key issued during a change has the changed values', async () => {
  const { records } = await withKeys(1);
  const issued: string[] = [];
  const during = interrupt<Records>(records, 'transact', async () => issued.push((await issue(records)).key));
  await updateOrganization(during, id, { limits });
  expect((await callers(records, issued))[0]?.limits).toEqual(limits);
});

test('a change during the issue of a key reaches that key', async () => {
  const { records } = await withKeys(0);
  const change = () => updateOrganization(records, id, { limits });
  const { key } = await issue(interrupt<Records>(records, 'transact', change));
  expect((await authenticate(records, key, now)).limits).toEqual(limits);
  expect(await listApiKeys(records, id)).toHaveLength(1);
});

test('two concurrent changes both apply', async () => {
  const { records, keys } = await withKeys(120);
  await Promise.all([
    updateOrganization(records, id, { defaultChainId: 9 }),
    updateOrganization(records, id, { limits }),
  ]);
  expect(await findOrganization(records, id)).toEqual({ ...created, defaultChainId: 9, limits });
  for (const caller of await callers(records, keys))
    expect(caller).toMatchObject({ defaultChainId: 9, limits });
});
