import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { operatorName } from '../../../admin/deployment/connect.ts';
import { authenticate } from '../../../functions/domain/organization/api-keys.ts';
import { createOrganization, FakeDeployment, otherAuthority, run, runJson } from './fake-deployment.ts';

test('`key create` issues a key that authenticates its organization', async () => {
  const deployment = new FakeDeployment();
  const organizationId = await createOrganization(deployment);
  const issued = await runJson(deployment, 'key', 'create', '--org', organizationId);
  expect(issued).toEqual({
    id: expect.stringMatching(/^[\da-f]{32}$/),
    key: expect.stringMatching(/^imp_live_\w{38}$/),
    organizationId,
    mode: 'live',
    createdAt: '2026-01-02T03:04:05.678Z',
  });
  expect(await authenticate(deployment.records, String(issued.key), deployment.now())).toMatchObject({
    organizationId,
  });
});

test.each([
  ['90d', '2026-04-02T03:04:05.678Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
])('`key create --expires %s` sets the expiry, and `key list` shows it', async (expires, expiresAt) => {
  const deployment = new FakeDeployment();
  const org = await createOrganization(deployment);
  const issued = await runJson(deployment, 'key', 'create', '--org', org, '--expires', expires);
  expect(issued).toMatchObject({ expiresAt });
  const states = async () => {
    const { out } = await run(deployment, 'key', 'list', '--org', org);
    const { keys } = await runJson(deployment, 'org', 'show', org);
    return [/active|expired|revoked/.exec(out)?.[0], out.includes(expiresAt), keys];
  };
  const usual = { active: 0, expired: 0, revoked: 0 };
  deployment.time = new Date(Date.parse(expiresAt) - 1);
  expect(await states()).toEqual(['active', true, { ...usual, active: 1 }]);
  deployment.time = new Date(expiresAt);
  expect(await states()).toEqual(['expired', true, { ...usual, expired: 1 }]);
  await run(deployment, 'key', 'revoke', String(issued.id));
  expect(await states()).toEqual(['revoked', true, { ...usual, revoked: 1 }]);
  const { entries } = await runJson(deployment, 'audit', 'list', org);
  const details = { keyId: issued.id, mode: 'live', expiresAt };
  expect(entries).toContainEqual(expect.objectContaining({ action: 'key create', details }));
});

test('`key create --read-only` issues a key that only reads, and `key list` shows its scope', async () => {
  const deployment = new FakeDeployment();
  const org = await createOrganization(deployment);
  const { key, ...issued } = await runJson(deployment, 'key', 'create', '--org', org, '--read-only');
  expect(issued).toMatchObject({ readOnly: true });
  await run(deployment, 'key', 'create', '--org', org);
  const caller = await authenticate(deployment.records, String(key), deployment.now());
  expect(caller).toMatchObject({ readOnly: true });
  const { out } = await run(deployment, 'key', 'list', '--org', org);
  expect(out.match(/read and attest|read/g)?.toSorted()).toEqual(['read', 'read and attest']);
});

test('`key create` rejects an expiry in the past', async () => {
  const deployment = new FakeDeployment();
  const org = await createOrganization(deployment);
  const { exitCode, error } = await run(deployment, 'key', 'create', '--org', org, '--expires', '2026-01-02');
  expect([exitCode, error]).toEqual([2, 'admin: --expires is in the past: 2026-01-02T00:00:00.000Z\n']);
  expect((await runJson(deployment, 'key', 'list', '--org', org)).keys).toEqual([]);
});

test('`key list` sorts by age, includes revoked keys, and shows who issued and revoked each', async () => {
  const deployment = new FakeDeployment();
  const organizationId = await createOrganization(deployment);
  const first = await runJson(deployment, 'key', 'create', '--org', organizationId);
  deployment.time = new Date('2026-01-03T00:00:00.000Z');
  const second = await runJson(deployment, 'key', 'create', '--org', organizationId, '--mode', 'test');
  await run(deployment, 'key', 'revoke', String(first.id));
  expect(await runJson(deployment, 'key', 'list', '--org', organizationId)).toEqual({
    keys: [
      {
        ...{ id: first.id, organizationId, mode: 'live', createdAt: first.createdAt },
        ...{ createdBy: 'ada@desk', revokedAt: '2026-01-03T00:00:00.000Z', revokedBy: 'ada@desk' },
      },
      {
        ...{ id: second.id, organizationId, mode: 'test', createdAt: second.createdAt },
        ...{ createdBy: 'ada@desk', revokedAt: null, revokedBy: null },
      },
    ],
  });
});

test('`key revoke` accepts the key itself', async () => {
  const deployment = new FakeDeployment();
  const org = await createOrganization(deployment);
  const { id, key } = await runJson(deployment, 'key', 'create', '--org', org);
  const revoked = { id, revokedAt: '2026-01-02T03:04:05.678Z' };
  expect(await runJson(deployment, 'key', 'revoke', String(key))).toEqual(revoked);
});

test('`key revoke` rejects an unknown key id', async () => {
  const id = 'ab'.repeat(16);
  expect(await run(new FakeDeployment(), 'key', 'revoke', id)).toEqual({
    exitCode: 1,
    out: '',
    error: `admin: no API key has the ID ${id}; \`key list --org ID\` shows them\n`,
  });
});

test('`key revoke` does not print a mistyped key', async () => {
  const deployment = new FakeDeployment();
  const { key } = await runJson(deployment, 'key', 'create', '--org', await createOrganization(deployment));
  const mistyped = `${key}x`;
  const { exitCode, out, error } = await run(deployment, 'key', 'revoke', mistyped, '--json');
  expect(exitCode).toBe(2);
  expect(out + error).not.toContain('imp_');
});

test('`--org` accepts an id, or a name that only one organization has', async () => {
  const deployment = new FakeDeployment();
  const id = await createOrganization(deployment);
  const listed = (org: string) => run(deployment, 'key', 'list', '--org', org);
  for (const org of ['The Paper', id.toUpperCase()]) expect((await listed(org)).exitCode).toBe(0);
  const other = await createOrganization(deployment, otherAuthority);
  const { exitCode, error } = await listed('The Paper');
  expect(exitCode).toBe(1);
  expect(error).toMatch(/^admin: 2 organizations are named The Paper; use an ID instead: /);
  for (const named of [id, other]) expect(error).toContain(named);
  expect((await listed('Another')).error).toBe(
    'admin: no organization has the name or ID Another; run `org list` to see them\n',
  );
  const unknown = '01890000-0000-7000-8000-000000000000';
  expect((await listed(unknown)).error).toContain(`no organization has the ID ${unknown}`);
});

test('`audit list` shows who changed an organization and its keys, and when', async () => {
  const deployment = new FakeDeployment();
  const id = await createOrganization(deployment);
  const { id: keyId } = await runJson(deployment, 'key', 'create', '--org', id, '--mode', 'test');
  await runJson(deployment, 'org', 'update', id, '--default-chain', '31337', '--in-flight', 'default');
  deployment.time = new Date('2026-01-03T00:00:00.000Z');
  await runJson(deployment, 'key', 'revoke', String(keyId));
  const listed = await runJson(deployment, 'audit', 'list', id);
  const entries = listed.entries as { action: string; details: unknown; by: string; at: string }[];
  const byAction = Object.fromEntries(entries.map(({ action, details }) => [action, details]));
  expect(byAction).toEqual({
    'org create': { name: 'The Paper', authorityAddress: expect.any(String), defaultChainId: null },
    'key create': { keyId, mode: 'test' },
    'org update': { defaultChain: 31337, inFlight: 'default' },
    'key revoke': { keyId },
  });
  expect(new Set(entries.map(({ by }) => by))).toEqual(new Set(['ada@desk']));
  expect(entries.at(-1)).toMatchObject({ action: 'key revoke', at: '2026-01-03T00:00:00.000Z' });
});

test('`operatorName` contains the user and the host', () => {
  expect(operatorName()).toMatch(new RegExp(`^.+@${hostname()}$`));
});
