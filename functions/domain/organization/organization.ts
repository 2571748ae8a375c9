import * as z from 'zod';
import { RefusedError } from '../errors.ts';
import type { Fields, Key, Records } from '../records.ts';
import { address, formOf, map, parseRecord } from '../stored-record.ts';

export const organizationRecord = (id: string): Key => ({
  ...{ table: 'organizations', pk: id, sk: 'organization' },
});

/** Key of the record that names the organization with the authority. */
const authorityGuard = (address: string): Key => ({
  ...{ table: 'organizations', pk: address, sk: 'authority' },
});

/** Key of an organization in the partition that has all of them, so that they can be listed. */
export const directory = (id: string): Key => ({ table: 'organizations', pk: 'organizations', sk: id });

/** The limits as they are stored. None is required, so only a map can have none. */
export const limitsForm = map.pipe(
  formOf(
    {},
    {
      /** Numbers of attestations and of child links accepted in one UTC day. */
      ...{ attestationsPerDay: z.number(), linksPerDay: z.number() },
      /** Number of attestations accepted, and neither confirmed nor failed yet. */
      inFlight: z.number(),
      /** Number of requests in a minute, and of those with one key. */
      ...{ requestsPerMinute: z.number(), keyRequestsPerMinute: z.number() },
      /** Fees that its operations may take in one UTC day, in each chain's own coin, by chain id. */
      feeBudgets: z.record(z.string(), z.number()).readonly(),
    },
  ),
);

/** Limits of an organization; those of the settings hold where it has none. */
export type OrganizationLimits = z.output<typeof limitsForm>;

/** `revision` counts the changes of an organization and of its keys; absent before the first. */
const organizationForm = formOf(
  {
    id: z.string(),
    name: z.string(),
    authorityAddress: address,
    defaultChainId: z.number().nullable(),
    createdAt: z.string(),
  },
  { limits: limitsForm, revision: z.number() },
);

/** A publisher; its authority is fixed, and no other organization has the same. */
export type Organization = Omit<z.output<typeof organizationForm>, 'revision'>;

/** @throws RefusedError when another organization has the authority */
export async function createOrganization(records: Records, organization: Organization): Promise<void> {
  const { id, authorityAddress } = organization;
  const created = await records.transact([
    { key: organizationRecord(id), put: { ...organization }, ifAbsent: true },
    { key: authorityGuard(authorityAddress), put: { id }, ifAbsent: true },
    { key: directory(id), put: { ...organization }, ifAbsent: true },
  ]);
  if (created) return;
  throw new RefusedError(
    `an organization with the authority ${authorityAddress} exists already; \`org list\` shows it`,
  );
}

export async function listOrganizations(records: Records): Promise<Organization[]> {
  const { table, pk } = directory('');
  const stored = await records.list({ table, pk });
  return stored.map(({ fields }) => parseRecord('organization', organizationForm, fields));
}

/** @throws RefusedError when there is none */
export async function findOrganization(records: Records, id: string): Promise<Organization> {
  return (await readOrganization(records, id)).organization;
}

/** The organization, its revision, and the one that its next change makes. @throws RefusedError */
export async function readOrganization(
  records: Records,
  id: string,
): Promise<{ organization: Organization; revision: number | undefined; next: number }> {
  const fields = await records.get(organizationRecord(id));
  if (!fields) throw new RefusedError(`no organization has the id ${id}; \`org list\` shows them`);
  const { revision, ...organization } = parseRecord('organization', organizationForm, fields);
  return { organization, revision, next: (revision ?? 0) + 1 };
}

/** Fields of an organization that a request needs. They are stored with the key, so that authenticating is one read. */
export function callerFields({ authorityAddress, defaultChainId, limits }: Organization): Fields {
  return { authorityAddress, defaultChainId, limits: limits && { ...limits } };
}
