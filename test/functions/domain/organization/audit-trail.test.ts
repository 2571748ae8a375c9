import { expect, test } from 'vitest';
import { audited, auditTrail } from '../../../../functions/domain/organization/audit-trail.ts';
import type { Change } from '../../../../functions/domain/records.ts';
import { MemoryRecords } from '../../../fakes/memory-records/memory-records.ts';

const organizationId = '018f0000-0000-7000-8000-00000000000a';

function trailed(records: MemoryRecords, now: string) {
  const act = { action: 'org update', by: 'ada@desk', now: new Date(now) } as const;
  return audited(records, act, () => ({ organizationId, details: { name: 'N' } }));
}

const change = (sk: string): Change => ({
  key: { table: 'organizations', pk: organizationId, sk },
  put: {},
  ifAbsent: true,
});

test('a transaction leaves who did what to whom and when', async () => {
  const records = new MemoryRecords();
  expect(await trailed(records, '2026-01-01T00:00:00.000Z').transact([change('a')])).toBe(true);
  expect(await auditTrail(records, organizationId)).toEqual([
    {
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      ...{ organizationId, at: '2026-01-01T00:00:00.000Z', by: 'ada@desk', action: 'org update' },
      details: { name: 'N' },
    },
  ]);
});

test('a transaction that is refused leaves no entry', async () => {
  const records = new MemoryRecords();
  const once = trailed(records, '2026-01-01T00:00:00.000Z');
  await once.transact([change('a')]);
  expect(await trailed(records, '2026-01-02T00:00:00.000Z').transact([change('a')])).toBe(false);
  expect(await auditTrail(records, organizationId)).toHaveLength(1);
});

test('several transactions of one command leave one entry', async () => {
  const records = new MemoryRecords();
  const command = trailed(records, '2026-01-01T00:00:00.000Z');
  await command.transact([change('a')]);
  await command.transact([change('b')]);
  expect(await auditTrail(records, organizationId)).toHaveLength(1);
});

test('a transaction as large as DynamoDB takes is done, with its entry', async () => {
  const records = new MemoryRecords();
  const changes = Array.from({ length: 100 }, (_, position) => change(`item ${position}`));
  expect(await trailed(records, '2026-01-01T00:00:00.000Z').transact(changes)).toBe(true);
  expect(records.all()).toHaveLength(101);
  expect(await auditTrail(records, organizationId)).toHaveLength(1);
});

test('the trail of an organisation is its own, oldest first', async () => {
  const records = new MemoryRecords();
  await trailed(records, '2026-02-01T00:00:00.000Z').transact([change('a')]);
  await trailed(records, '2026-01-01T00:00:00.000Z').transact([change('b')]);
  const trail = await auditTrail(records, organizationId);
  expect(trail.map(({ at }) => at)).toEqual(['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']);
  expect(await auditTrail(records, 'another')).toEqual([]);
});
