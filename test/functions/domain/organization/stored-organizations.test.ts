import { expect, test } from 'vitest';
import { keyRecord } from '../../../../functions/domain/organization/api-keys.ts';
import { directory, organizationRecord } from '../../../../functions/domain/organization/organization.ts';
import { updateOrganization } from '../../../../functions/domain/organization/update-organization.ts';
import { MemoryRecords } from '../../../fakes/memory-records/memory-records.ts';
import { describeKind } from '../stored/describe-kind.ts';

const id = 'paper';
const createdAt = '2026-01-01T00:00:00.000Z';
const authorityAddress = `0x${'a1'.repeat(20)}`;
const limits = {
  attestationsPerDay: 5,
  linksPerDay: 3,
  inFlight: 2,
  requestsPerMinute: 9,
  feeBudgets: { 1: 0.5 },
};
const organization = { id, name: 'The Paper', authorityAddress, defaultChainId: 1, limits, createdAt };
const expiresAt = '2026-04-01T00:00:00.000Z';
const issued = { id: 'f00d', organizationId: id, mode: 'live', createdAt, revokedAt: createdAt, expiresAt };
const narrow = ['authorityAddress', 'limits', 'mode', 'action'];

describeKind({
  kind: 'organization',
  key: organizationRecord(id),
  fields: { ...organization, revision: 3 },
  ...{ optional: ['limits', 'revision'], narrow },
});

describeKind({
  ...{ kind: 'directory', called: 'organization' },
  key: directory(id),
  fields: organization,
  ...{ optional: ['limits'], narrow },
});

describeKind({
  kind: 'API key',
  key: { table: 'organizations', pk: id, sk: 'key#f00d' },
  fields: issued,
  ...{ optional: ['expiresAt'], narrow },
});

describeKind({
  kind: 'caller',
  key: keyRecord('f00d'),
  fields: { organizationId: id, authorityAddress, defaultChainId: 1, limits, expiresAt },
  ...{ optional: ['limits', 'expiresAt'], narrow },
});

describeKind({
  kind: 'audit entry',
  key: { table: 'organizations', pk: `audit#${id}`, sk: 'entry' },
  fields: { organizationId: id, action: 'key create', by: 'ann', at: createdAt, details: { mode: 'live' } },
  ...{ optional: [], narrow },
});

test('an organisation keeps the fields that nobody here knows when it is changed', async () => {
  const records = new MemoryRecords();
  await records.update({ key: organizationRecord(id), put: { ...organization, later: 'added' } });
  await updateOrganization(records, id, { name: 'Other' });
  expect(records.peek(organizationRecord(id))).toMatchObject({ later: 'added', name: 'Other' });
});
