import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { operatorName } from '../../../admin/deployment/connect.ts';
import { createdOrganization, FakeDeployment, otherAuthority, run, runJson } from './fake-deployment.ts';

interface Entry {
  readonly action: string;
  readonly details: unknown;
  readonly by: string;
  readonly at: string;
}

async function entriesOf(deployment: FakeDeployment, id: string): Promise<readonly Entry[]> {
  const { entries } = await runJson(deployment, 'audit', 'list', id);
  return entries as readonly Entry[];
}

test('lists who did what to an organisation and its keys, and when', async () => {
  const deployment = new FakeDeployment();
  const id = await createdOrganization(deployment);
  const { id: keyId } = await runJson(deployment, 'key', 'create', '--org', id, '--mode', 'test');
  await runJson(deployment, 'org', 'update', id, '--default-chain', '31337', '--in-flight', 'default');
  deployment.time = new Date('2026-01-03T00:00:00.000Z');
  await runJson(deployment, 'key', 'revoke', String(keyId));
  const entries = await entriesOf(deployment, id);
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

test('holds no key', async () => {
  const deployment = new FakeDeployment();
  const id = await createdOrganization(deployment);
  const { key } = await runJson(deployment, 'key', 'create', '--org', id);
  await run(deployment, 'key', 'revoke', String(key));
  for (const options of [[], ['--json']]) {
    const { out } = await run(deployment, 'audit', 'list', id, ...options);
    expect(out).toContain('key revoke');
    expect(out).not.toContain('imp_');
  }
});

test('has no entry of what was refused, or changed nothing', async () => {
  const deployment = new FakeDeployment();
  const id = await createdOrganization(deployment);
  const { id: keyId } = await runJson(deployment, 'key', 'create', '--org', id);
  await run(deployment, 'key', 'revoke', String(keyId));
  const before = await entriesOf(deployment, id);
  await run(deployment, 'key', 'revoke', String(keyId));
  await run(deployment, 'key', 'revoke', 'ab'.repeat(16));
  await run(deployment, 'org', 'update', id, '--default-chain', '5');
  await run(deployment, 'attestation', 'erase', id, '01890000-0000-7000-8000-000000000000', '--yes');
  expect(await entriesOf(deployment, id)).toEqual(before);
});

test("shows nothing of another organisation's trail, and takes a name", async () => {
  const deployment = new FakeDeployment();
  await createdOrganization(deployment);
  const options = ['--name', 'The Daily', '--authority', otherAuthority];
  await runJson(deployment, 'org', 'create', ...options);
  expect(await entriesOf(deployment, 'The Daily')).toMatchObject([{ details: { name: 'The Daily' } }]);
});

test('lists in columns for people', async () => {
  const deployment = new FakeDeployment();
  const id = await createdOrganization(deployment);
  const { out } = await run(deployment, 'audit', 'list', id);
  expect(out).toMatch(/^WHEN +WHO +WHAT +DETAILS\n2026-01-02T03:04:05.678Z {2}ada@desk {2}org create {2}\{/);
});

test('says so when an organisation is older than the trail', async () => {
  const deployment = new FakeDeployment();
  const id = await createdOrganization(deployment);
  for (const { key } of deployment.records.all()) {
    if (key.pk === `audit#${id}`) await deployment.records.update({ key, remove: true });
  }
  expect((await run(deployment, 'audit', 'list', id)).out).toBe(
    'Nothing was done to it since there is a trail.\n',
  );
});

test('names the operator by user and host', () => {
  expect(operatorName()).toMatch(new RegExp(`^.+@${hostname()}$`));
});
