import type { Change, Records } from '../records.ts';
import { type ApiKey, keyRecord, listApiKeys } from './api-keys.ts';
import {
  callerFields,
  directoryEntry,
  type Organization,
  organizationRecord,
  readOrganization,
} from './organization.ts';

/** Keys in a write: DynamoDB's 100 changes in a transaction, without the organization and its directory entry. */
const keysAtOnce = 98;

/** Fields of an organization that may change. `limits` replaces all limits. */
export type OrganizationChange = Partial<Pick<Organization, 'name' | 'defaultChainId' | 'limits'>>;

/** Updates an organization and its active keys' copies. After a crash, a second run finishes. @throws RefusedError */
export async function updateOrganization(
  records: Records,
  id: string,
  change: OrganizationChange,
): Promise<Organization> {
  const { organization: former, revision, next } = await readOrganization(records, id);
  const organization: Organization = { ...former, ...change };
  const keys = (await listApiKeys(records, id)).filter(({ revokedAt }) => revokedAt === null);
  for (let first = 0; first === 0 || first < keys.length; first += keysAtOnce) {
    const expect = { revision: first === 0 ? revision : next };
    const changed = await records.transact([
      { key: organizationRecord(id), put: { ...organization, revision: next }, expect },
      { key: directoryEntry(id), put: { ...organization } },
      ...keys.slice(first, first + keysAtOnce).map((key) => updateKeyFields(key, organization)),
    ]);
    // A key was issued or the organization changed meanwhile, so one of them would be out of date.
    if (!changed) return updateOrganization(records, id, change);
  }
  return organization;
}

function updateKeyFields({ id }: ApiKey, organization: Organization): Change {
  return { key: keyRecord(id), set: callerFields(organization), ifPresent: true };
}
