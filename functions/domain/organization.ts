import type { Address } from 'viem';
import { type ApiKeyMode, apiKeyHash, generateApiKey, isApiKey } from './api-key.ts';
import {
  ApiKeyInvalidError,
  ApiKeyMissingError,
  AuthorityTakenError,
  OrganizationMissingError,
} from './errors.ts';
import type { Fields, Key, Records } from './records.ts';

/** A publisher; its authority is fixed, and no other organisation has the same. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly authorityAddress: Address;
  readonly defaultChainId: number | null;
  readonly createdAt: string;
}

export interface ApiKey {
  /** The first 128 bits of the key's SHA-256, in hex. */
  readonly id: string;
  readonly organizationId: string;
  readonly mode: ApiKeyMode;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

/** Who makes a request, as its key says. */
export interface Caller {
  readonly organizationId: string;
  readonly authorityAddress: Address;
  readonly defaultChainId: number | null;
}

/** More than there will ever be: a list cut off in silence would lose an organisation or an active key. */
const all = 1_000_000;

const organizationRecord = (id: string): Key => ({ table: 'organizations', pk: id, sk: 'organization' });
const authorityGuard = (address: Address): Key => ({ table: 'organizations', pk: address, sk: 'authority' });
const directory = (sk: string): Key => ({ table: 'organizations', pk: 'organizations', sk });
const keyRecord = (id: string): Key => ({ table: 'organizations', pk: `key#${id}`, sk: 'key' });
const keyOfOrganization = (organizationId: string, id: string): Key => ({
  ...{ table: 'organizations', pk: organizationId, sk: `key#${id}` },
});

/** @throws AuthorityTakenError when another organisation has the authority. */
export async function createOrganization(records: Records, organization: Organization): Promise<void> {
  const { id, authorityAddress } = organization;
  const created = await records.transact([
    { key: organizationRecord(id), put: { ...organization }, ifAbsent: true },
    { key: authorityGuard(authorityAddress), put: { id }, ifAbsent: true },
    { key: directory(id), put: { ...organization }, ifAbsent: true },
  ]);
  if (!created) throw new AuthorityTakenError(authorityAddress);
}

export async function listOrganizations(records: Records): Promise<Organization[]> {
  const { table, pk } = directory('');
  const stored = await records.list({ table, pk, limit: all });
  return stored.map(({ fields }) => fields as unknown as Organization);
}

/** @throws OrganizationMissingError */
export async function findOrganization(records: Records, id: string): Promise<Organization> {
  const fields = await records.get(organizationRecord(id));
  if (!fields) throw new OrganizationMissingError(id);
  return fields as unknown as Organization;
}

/**
 * Issues a key. The key itself is returned once and stored nowhere.
 *
 * @throws OrganizationMissingError
 */
export async function createApiKey(
  records: Records,
  request: { organizationId: string; mode: ApiKeyMode; now: Date },
): Promise<ApiKey & { key: string }> {
  const organization = await findOrganization(records, request.organizationId);
  const { mode, organizationId, now } = request;
  const key = generateApiKey(mode);
  const hash = apiKeyHash(key);
  const issued = {
    id: hash.slice(0, 32),
    organizationId,
    mode,
    createdAt: now.toISOString(),
    revokedAt: null,
  };
  const { authorityAddress, defaultChainId } = organization;
  await records.transact([
    // What a request needs of its organisation rides along, so that authenticating is one read.
    { key: keyRecord(issued.id), put: { ...issued, hash, authorityAddress, defaultChainId }, ifAbsent: true },
    { key: keyOfOrganization(organizationId, issued.id), put: issued, ifAbsent: true },
  ]);
  return { ...issued, key };
}

/** @throws OrganizationMissingError */
export async function listApiKeys(records: Records, organizationId: string): Promise<ApiKey[]> {
  const { id } = await findOrganization(records, organizationId);
  const stored = await records.list({ table: 'organizations', pk: id, from: 'key#', limit: all });
  return stored
    .filter(({ key }) => key.sk.startsWith('key#'))
    .map(({ fields }) => fields as unknown as ApiKey);
}

/**
 * Takes effect on the next request. Revoking a revoked key changes nothing and tells when it was.
 *
 * @throws ApiKeyMissingError
 */
export async function revokeApiKey(
  records: Records,
  id: string,
  now: Date,
): Promise<{ id: string; revokedAt: string }> {
  const stored = await records.get(keyRecord(id));
  if (!stored) throw new ApiKeyMissingError(id);
  if (stored.revokedAt !== null) return { id, revokedAt: String(stored.revokedAt) };
  const revokedAt = now.toISOString();
  const revoke = { set: { revokedAt }, expect: { revokedAt: null } };
  const revoked = await records.transact([
    { key: keyRecord(id), ...revoke },
    { key: keyOfOrganization(String(stored.organizationId), id), ...revoke },
  ]);
  return revoked ? { id, revokedAt } : revokeApiKey(records, id, now);
}

/** @throws ApiKeyInvalidError for a key that is missing, mistyped, unknown or revoked: all look the same. */
export async function authenticate(records: Records, key: string | undefined): Promise<Caller> {
  if (key === undefined || !isApiKey(key)) throw new ApiKeyInvalidError();
  const hash = apiKeyHash(key);
  const stored: Fields | undefined = await records.get(keyRecord(hash.slice(0, 32)));
  if (stored?.hash !== hash || stored.revokedAt !== null) throw new ApiKeyInvalidError();
  return stored as unknown as Caller;
}
