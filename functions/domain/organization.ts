import type { Address } from 'viem';
import { type ApiKeyMode, apiKeyHash, generateApiKey, isApiKey } from './api-key.ts';
import {
  ApiKeyInvalidError,
  ApiKeyMissingError,
  AuthorityTakenError,
  OrganizationMissingError,
} from './errors.ts';
import {
  authorityGuard,
  directory,
  keyOfOrganization,
  keyRecord,
  organizationRecord,
} from './organization-records.ts';
import type { Fields, Records } from './records.ts';

/** What an organisation may use; where it says nothing, the limits of the settings hold. */
export type OrganizationLimits = {
  /** Accepted in one UTC day. */
  readonly attestationsPerDay?: number;
  /** Accepted, and neither confirmed nor failed yet. */
  readonly inFlight?: number;
};

/** A publisher; its authority is fixed, and no other organisation has the same. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  readonly authorityAddress: Address;
  readonly defaultChainId: number | null;
  readonly limits?: OrganizationLimits;
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
  readonly limits?: OrganizationLimits;
}

/** More than there will ever be: a list cut off in silence would lose an organisation or an active key. */
const all = 1_000_000;

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
  return (await readOrganization(records, id)).organization;
}

/** `revision` counts the changes of an organisation and of who holds a key; absent before the first. */
export async function readOrganization(records: Records, id: string) {
  const fields = await records.get(organizationRecord(id));
  if (!fields) throw new OrganizationMissingError(id);
  const { revision, ...organization } = fields;
  const next = Number(revision ?? 0) + 1;
  return { organization: organization as unknown as Organization, revision, next };
}

/** What a request needs of its organisation rides along with the key, so that authenticating is one read. */
export function riding({ authorityAddress, defaultChainId, limits }: Organization): Fields {
  return { authorityAddress, defaultChainId, limits: limits && { ...limits } };
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
  const { mode, organizationId, now } = request;
  const { organization, revision, next } = await readOrganization(records, organizationId);
  const key = generateApiKey(mode);
  const hash = apiKeyHash(key);
  const id = hash.slice(0, 32);
  const issued = { id, organizationId, mode, createdAt: now.toISOString(), revokedAt: null };
  const created = await records.transact([
    { key: organizationRecord(organizationId), set: { revision: next }, expect: { revision } },
    { key: keyRecord(id), put: { ...issued, hash, ...riding(organization) }, ifAbsent: true },
    { key: keyOfOrganization(organizationId, id), put: issued, ifAbsent: true },
  ]);
  return created ? { ...issued, key } : createApiKey(records, request);
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
