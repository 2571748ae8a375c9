import * as z from 'zod';
import { RefusedError } from '../errors.ts';
import type { Fields, Key, Records } from '../records.ts';
import { address, formOf, map, parseRecord } from '../stored-record.ts';

export const organizationRecord = (id: string): Key => ({
  ...{ table: 'organizations', pk: id, sk: 'organization' },
});

const authorityGuard = (address: string): Key => ({
  ...{ table: 'organizations', pk: address, sk: 'authority' },
});

/** Returns an organization's key in the partition that lists all organizations. */
export const directoryEntry = (id: string): Key => ({ table: 'organizations', pk: 'organizations', sk: id });

export const limitsForm = map.pipe(
  formOf(
    {},
    {
      /** Attestations and child links that are accepted in a UTC day. */
      ...{ attestationsPerDay: z.number(), linksPerDay: z.number() },
      inFlight: z.number(),
      ...{ requestsPerMinute: z.number(), keyRequestsPerMinute: z.number() },
      /** Maximum fees of its operations in a UTC day, in each chain's currency, by chain ID. */
      feeBudgets: z.record(z.string(), z.number()).readonly(),
    },
  ),
);

/** Limits of an organization. Others come from the settings. */
export type OrganizationLimits = z.output<typeof limitsForm>;

/** `revision` counts an organization's updates and new keys, not revocations; absent before the first. */
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

/** A publisher. Its authority never changes, and no other organization has the same. */
export type Organization = Omit<z.output<typeof organizationForm>, 'revision'>;

/** @throws RefusedError if another organization has the authority */
export async function createOrganization(records: Records, organization: Organization): Promise<void> {
  const { id, authorityAddress } = organization;
  const created = await records.transact([
    { key: organizationRecord(id), put: { ...organization }, ifAbsent: true },
    { key: authorityGuard(authorityAddress), put: { id }, ifAbsent: true },
    { key: directoryEntry(id), put: { ...organization }, ifAbsent: true },
  ]);
  if (created) return;
  throw new RefusedError(
    `an organization with the authority ${authorityAddress} exists already; \`org list\` shows it`,
  );
}

export async function listOrganizations(records: Records): Promise<Organization[]> {
  const { table, pk } = directoryEntry('');
  const stored = await records.list({ table, pk });
  return stored.map(({ fields }) => parseRecord('organization', organizationForm, fields));
}

/** @throws RefusedError if there is none */
export async function findOrganization(records: Records, id: string): Promise<Organization> {
  return (await readOrganization(records, id)).organization;
}

/** Reads the organization, its revision and the next revision. @throws RefusedError */
export async function readOrganization(records: Records, id: string) {
  const fields = await records.get(organizationRecord(id));
  if (!fields) throw new RefusedError(`no organization has the ID ${id}; \`org list\` shows them`);
  const { revision, ...organization } = parseRecord('organization', organizationForm, fields);
  return { organization, revision, next: (revision ?? 0) + 1 };
}

/** Returns the fields that each API key's record repeats, so that authentication takes one read. */
export function callerFields({ authorityAddress, defaultChainId, limits }: Organization): Fields {
  return { authorityAddress, defaultChainId, limits: limits && { ...limits } };
}
