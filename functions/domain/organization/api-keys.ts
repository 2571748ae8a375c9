import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { ApiKeyExpiredError, ApiKeyInvalidError, RefusedError } from '../errors.ts';
import type { Key, Records } from '../records.ts';
import { address, formOf, parseRecord } from '../stored-record.ts';
import {
  callerFields,
  findOrganization,
  limitsForm,
  organizationRecord,
  readOrganization,
} from './organization.ts';

export const keyRecord = (id: string): Key => ({ table: 'organizations', pk: `key#${id}`, sk: 'key' });

const keyOfOrganization = (organizationId: string, id: string): Key => ({
  ...{ table: 'organizations', pk: organizationId, sk: `key#${id}` },
});

const apiKeyForm = formOf(
  {
    /** The first 128 bits of the key's SHA-256, in hex. */
    id: z.string(),
    organizationId: z.string(),
    /** Also part of the key's text. A `test` key attests only on test chains. */
    mode: z.enum(['live', 'test']),
    createdAt: z.string(),
    revokedAt: z.string().nullable(),
  },
  {
    /** Time from which the key is refused, ISO 8601; absent if it does not expire. */
    expiresAt: z.string(),
    /** Set for a key that may read, but neither attest nor link. */
    readOnly: z.literal(true),
  },
);

export type ApiKey = z.output<typeof apiKeyForm>;

export type ApiKeyMode = ApiKey['mode'];

export function isExpired({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now.getTime();
}

/** ID and mode of a request's API key, never the key itself. */
export interface KeyUse {
  readonly keyId: string;
  readonly mode: ApiKeyMode;
  readonly expiresAt?: string;
}

const callerForm = formOf(
  { organizationId: z.string(), authorityAddress: address, defaultChainId: z.number().nullable() },
  { limits: limitsForm, expiresAt: z.string(), readOnly: z.literal(true) },
);

/** The organization that makes a request, from its API key's record. */
export type Caller = Partial<KeyUse> & z.output<typeof callerForm>;

export interface KeyRequest extends Pick<ApiKey, 'organizationId' | 'mode' | 'expiresAt' | 'readOnly'> {
  readonly now: Date;
  readonly key?: string;
}

/**
 * Creates a key, or records the given one, which must be new. It is returned once and not stored.
 * @throws RefusedError for an unknown organization, or a given key that exists
 */
export async function createApiKey(records: Records, request: KeyRequest): Promise<ApiKey & { key: string }> {
  const { mode, organizationId, now, expiresAt, readOnly, key = generateApiKey(mode) } = request;
  const { organization, revision, next } = await readOrganization(records, organizationId);
  const hash = apiKeyHash(key);
  const id = hash.slice(0, 32);
  const issued: ApiKey = {
    ...{ id, organizationId, mode, createdAt: now.toISOString(), revokedAt: null },
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(readOnly && { readOnly }),
  };
  const created = await records.transact([
    { key: organizationRecord(organizationId), set: { revision: next }, expect: { revision } },
    { key: keyRecord(id), put: { ...issued, hash, ...callerFields(organization) }, ifAbsent: true },
    { key: keyOfOrganization(organizationId, id), put: { ...issued }, ifAbsent: true },
  ]);
  if (created) return { ...issued, key };
  if (request.key !== undefined && (await records.get(keyRecord(id))))
    throw new RefusedError(`the API key ${id} exists already`);
  return createApiKey(records, request);
}

/** @throws RefusedError for an unknown organization */
export async function listApiKeys(records: Records, organizationId: string): Promise<ApiKey[]> {
  const { id } = await findOrganization(records, organizationId);
  const stored = await records.list({ table: 'organizations', pk: id, from: 'key#' });
  return stored
    .filter(({ key }) => key.sk.startsWith('key#'))
    .map(({ fields }) => parseRecord('API key', apiKeyForm, fields));
}

/** Revokes a key from the next request on. A second call keeps the time. @throws RefusedError for an unknown key */
export async function revokeApiKey(
  records: Records,
  id: string,
  now: Date,
): Promise<{ id: string; revokedAt: string }> {
  const stored = await records.get(keyRecord(id));
  if (!stored) throw new RefusedError(`no API key has the ID ${id}; \`key list --org ID\` shows them`);
  const { organizationId, revokedAt: earlier } = parseRecord('API key', apiKeyForm, stored);
  if (earlier !== null) return { id, revokedAt: earlier };
  const revokedAt = now.toISOString();
  const revoke = { set: { revokedAt }, expect: { revokedAt: null } };
  const revoked = await records.transact([
    { key: keyRecord(id), ...revoke },
    { key: keyOfOrganization(organizationId, id), ...revoke },
  ]);
  return revoked ? { id, revokedAt } : revokeApiKey(records, id, now);
}

/** Authenticates a request. All invalid keys get the same message. @throws ApiKeyInvalidError, ApiKeyExpiredError */
export async function authenticate(
  records: Records,
  key: string | undefined,
  now: Date,
): Promise<Caller & KeyUse> {
  if (key === undefined || !isApiKey(key)) throw new ApiKeyInvalidError();
  const hash = apiKeyHash(key);
  const keyId = hash.slice(0, 32);
  const stored = await records.get(keyRecord(keyId));
  if (stored?.hash !== hash || stored.revokedAt !== null) throw new ApiKeyInvalidError();
  const caller = parseRecord('caller', callerForm, stored);
  const { organizationId, expiresAt } = caller;
  if (expiresAt !== undefined && isExpired(caller, now))
    throw new ApiKeyExpiredError(expiresAt, { organizationId, keyId });
  return { ...caller, keyId, mode: key.startsWith('imp_test_') ? 'test' : 'live' };
}

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyPattern = /^imp_(live|test)_[0-9A-Za-z]{38}$/;
const checksumLength = 6;

/** Computes the CRC32 of a key in base62. It detects typos without a lookup, and lets secret scanners match keys. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let position = 0; position < checksumLength; position++) {
    digits = base62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Generates a key: 32 random base62 characters, about 190 bits, between its mode and its checksum. */
export function generateApiKey(mode: ApiKeyMode, random: (limit: number) => number = randomInt): string {
  const secret = Array.from({ length: 32 }, () => base62.charAt(random(base62.length))).join('');
  return `imp_${mode}_${secret}${checksum(`imp_${mode}_${secret}`)}`;
}

/** Whether the text has the form and the checksum of a key. It may never have been issued. */
export function isApiKey(text: string): boolean {
  return keyPattern.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** Computes the SHA-256 of a key in hex. Nothing else of a key is stored. */
export function apiKeyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
