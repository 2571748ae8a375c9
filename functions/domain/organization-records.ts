import type { Key } from './records.ts';

export const organizationRecord = (id: string): Key => ({
  ...{ table: 'organizations', pk: id, sk: 'organization' },
});

/** Who has the authority. */
export const authorityGuard = (address: string): Key => ({
  ...{ table: 'organizations', pk: address, sk: 'authority' },
});

/** All organisations in one partition, so that they can be listed. */
export const directory = (id: string): Key => ({ table: 'organizations', pk: 'organizations', sk: id });

/** What a request is authenticated by. */
export const keyRecord = (id: string): Key => ({ table: 'organizations', pk: `key#${id}`, sk: 'key' });

export const keyOfOrganization = (organizationId: string, id: string): Key => ({
  ...{ table: 'organizations', pk: organizationId, sk: `key#${id}` },
});
