import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  apiKeyHash,
  authenticate,
  createApiKey,
  generateApiKey,
  isApiKey,
} from '../../../../functions/domain/organization/api-keys.ts';
import { auditTrail, withAudit } from '../../../../functions/domain/organization/audit-trail.ts';
import { createOrganization } from '../../../../functions/domain/organization/organization.ts';
import type { Change } from '../../../../functions/domain/records.ts';
import { MemoryRecords } from '../../../fakes/memory-records/memory-records.ts';

const authorityOf = (number: number) => `0x${String(number).padStart(40, '0')}` as const;

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a key consists of its mode, 32 random characters and a checksum of six', () => {
  for (const mode of ['live', 'test'] as const)
    for (let n = 0; n < 250; n++) {
      const key = generateApiKey(mode);
      expect(key).toMatch(new RegExp(`^imp_${mode}_[0-9A-Za-z]{38}$`));
      expect(isApiKey(key)).toBe(true);
    }
  expect(generateApiKey('live')).not.toBe(generateApiKey('live'));
});

test('the checksum is the CRC32 of the preceding text, in base62 with six digits', () => {
  const key = generateApiKey('test', () => 0);
  expect(key.slice(0, 41)).toBe(`imp_test_${'0'.repeat(32)}`);
  const value = [...key.slice(41)].reduce((sum, digit) => sum * 62 + base62.indexOf(digit), 0);
  expect(value).toBe(crc32(key.slice(0, 41)));
});

test('a key with any one character changed is refused', () => {
  const key = generateApiKey('live');
  fc.assert(
    fc.property(fc.nat(key.length - 1), fc.constantFrom(...base62), (position, character) => {
      const mistyped = key.slice(0, position) + character + key.slice(position + 1);
      expect(isApiKey(mistyped)).toBe(mistyped === key);
    }),
  );
});

test.each([
  '',
  'imp_live_',
  ` ${generateApiKey('live')}`,
  `${generateApiKey('live')}\n`,
  generateApiKey('live').slice(0, -1),
  `${generateApiKey('live')}0`,
  generateApiKey('live').replace('imp', 'IMP'),
  generateApiKey('live').replace('live', 'prod'),
])('text that is not a key is refused: %j', (text) => {
  expect(isApiKey(text)).toBe(false);
});

test('the stored hash is SHA-256 in hex', () => {
  expect(apiKeyHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

const organizationId = '018f0000-0000-7000-8000-00000000000a';

function recordsWithAudit(records: MemoryRecords, now: string) {
  const act = { action: 'org update', by: 'ada@desk', now: new Date(now) } as const;
  return withAudit(records, act, () => ({ organizationId, details: { name: 'N' } }));
}

const change = (sk: string): Change => ({
  key: { table: 'organizations', pk: organizationId, sk },
  put: {},
  ifAbsent: true,
});

test('all transactions of a command together leave one audit entry, and a refused transaction leaves none', async () => {
  const records = new MemoryRecords();
  const command = recordsWithAudit(records, '2026-01-01T00:00:00.000Z');
  expect(await command.transact([change('a')])).toBe(true);
  await command.transact([change('b')]);
  expect(await recordsWithAudit(records, '2026-01-02T00:00:00.000Z').transact([change('a')])).toBe(false);
  expect(await auditTrail(records, organizationId)).toEqual([
    {
      // The id begins with the time in `at`.
      id: expect.stringMatching(/^019b76da-a800-7[\da-f-]{21}$/),
      ...{ organizationId, at: '2026-01-01T00:00:00.000Z', by: 'ada@desk', action: 'org update' },
      details: { name: 'N' },
    },
  ]);
});

test('a transaction of 100 changes, the most that DynamoDB accepts, succeeds and has its audit entry', async () => {
  const records = new MemoryRecords();
  const changes = Array.from({ length: 100 }, (_, position) => change(`item ${position}`));
  expect(await recordsWithAudit(records, '2026-01-01T00:00:00.000Z').transact(changes)).toBe(true);
  expect(records.all()).toHaveLength(101);
  expect(await auditTrail(records, organizationId)).toHaveLength(1);
});

test('the audit trail of an organization contains only its own entries, oldest first', async () => {
  const records = new MemoryRecords();
  await recordsWithAudit(records, '2026-02-01T00:00:00.000Z').transact([change('a')]);
  await recordsWithAudit(records, '2026-01-01T00:00:00.000Z').transact([change('b')]);
  const trail = await auditTrail(records, organizationId);
  expect(trail.map(({ at }) => at)).toEqual(['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']);
  expect(await auditTrail(records, 'another')).toEqual([]);
});

test('a given key is issued once, and refused for another organization', async () => {
  const records = new MemoryRecords();
  const now = new Date(0);
  const fields = { name: 'n', defaultChainId: null, createdAt: now.toISOString() };
  await createOrganization(records, { id: 'a', ...fields, authorityAddress: authorityOf(1) });
  await createOrganization(records, { id: 'b', ...fields, authorityAddress: authorityOf(2) });
  const key = generateApiKey('live');
  const issueFor = (organizationId: string) =>
    createApiKey(records, { organizationId, mode: 'live', now, key });
  expect(await issueFor('a')).toMatchObject({ key, organizationId: 'a' });
  await expect(issueFor('b')).rejects.toThrow('exists already');
  expect(await authenticate(records, key, now)).toMatchObject({ organizationId: 'a' });
});
