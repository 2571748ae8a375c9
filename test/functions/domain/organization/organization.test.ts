import { expect, test } from 'vitest';
import {
  ApiKeyInvalidError,
  ApiKeyMissingError,
  AuthorityTakenError,
  OrganizationMissingError,
} from '../../../../functions/domain/errors.ts';
import {
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
  type Organization,
} from '../../../../functions/domain/organization/organization.ts';
import { MemoryRecords } from '../../../fakes/memory-records/memory-records.ts';
import { alice, bob } from '../../../fakes/world/world.ts';

const now = new Date('2026-01-01T00:00:00.000Z');
const later = new Date('2026-02-01T00:00:00.000Z');

const organization = ({ organizationId, authorityAddress }: typeof alice): Organization => ({
  ...{ id: organizationId, name: 'Example', authorityAddress, defaultChainId: 1 },
  createdAt: now.toISOString(),
});

async function issued() {
  const records = new MemoryRecords();
  await createOrganization(records, organization(alice));
  const request = { organizationId: alice.organizationId, mode: 'live', now } as const;
  return { records, request, key: await createApiKey(records, request) };
}

test('an organisation is found and listed as it was created', async () => {
  const records = new MemoryRecords();
  await createOrganization(records, organization(alice));
  await createOrganization(records, organization(bob));
  expect(await findOrganization(records, alice.organizationId)).toEqual(organization(alice));
  expect(await listOrganizations(records)).toEqual([organization(alice), organization(bob)]);
});

test('an authority belongs to one organisation only', async () => {
  const records = new MemoryRecords();
  await createOrganization(records, organization(alice));
  const second = { ...organization(bob), authorityAddress: alice.authorityAddress };
  await expect(createOrganization(records, second)).rejects.toThrow(AuthorityTakenError);
  expect(await listOrganizations(records)).toHaveLength(1);
});

test('an unknown organisation has no keys and gets none', async () => {
  const records = new MemoryRecords();
  const { organizationId } = alice;
  await expect(findOrganization(records, organizationId)).rejects.toThrow(OrganizationMissingError);
  await expect(createApiKey(records, { organizationId, mode: 'test', now })).rejects.toThrow(
    OrganizationMissingError,
  );
  await expect(listApiKeys(records, organizationId)).rejects.toThrow(OrganizationMissingError);
});

test('a key tells whose it is', async () => {
  const { records, key } = await issued();
  expect(await authenticate(records, key.key, now)).toMatchObject({
    organizationId: alice.organizationId,
    authorityAddress: alice.authorityAddress,
    defaultChainId: 1,
  });
});

test('the key itself is stored nowhere', async () => {
  const { records, key } = await issued();
  expect(JSON.stringify(records.all())).not.toContain(key.key.slice(9, 41));
});

test.each([
  ['missing', undefined],
  ['empty', ''],
  ['mistyped', `${generateApiKey('live').slice(0, -1)}!`],
  ['unknown', generateApiKey('live')],
])('a key that is %s is refused', async (_, key) => {
  const { records } = await issued();
  await expect(authenticate(records, key, now)).rejects.toThrow(ApiKeyInvalidError);
});

test('several keys are active at once, and revoking one takes effect on the next request', async () => {
  const { records, request, key } = await issued();
  const other = await createApiKey(records, request);
  expect(await revokeApiKey(records, key.id, later)).toEqual({ id: key.id, revokedAt: later.toISOString() });
  await expect(authenticate(records, key.key, now)).rejects.toThrow(ApiKeyInvalidError);
  expect((await authenticate(records, other.key, now)).organizationId).toBe(alice.organizationId);
});

test('revoking a revoked key changes nothing and tells when it was', async () => {
  const { records, key } = await issued();
  await revokeApiKey(records, key.id, now);
  expect((await revokeApiKey(records, key.id, later)).revokedAt).toBe(now.toISOString());
});

test('an unknown key cannot be revoked', async () => {
  await expect(revokeApiKey(new MemoryRecords(), 'none', now)).rejects.toThrow(ApiKeyMissingError);
});

test('the keys of an organisation are listed without what would open anything', async () => {
  const { records, request, key } = await issued();
  const other = await createApiKey(records, { ...request, mode: 'test' });
  await revokeApiKey(records, other.id, later);
  const keys = await listApiKeys(records, alice.organizationId);
  expect(keys).toHaveLength(2);
  const expected = { id: key.id, organizationId: alice.organizationId, mode: 'live', revokedAt: null };
  expect(keys).toContainEqual({ ...expected, createdAt: now.toISOString() });
  expect(keys.find(({ id }) => id === other.id)?.revokedAt).toBe(later.toISOString());
});
