import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { operatorName } from '../../../admin/deployment/connect.ts';
import { createdOrganization, FakeDesk, otherAuthority, run, runJson } from './fake-deployment.ts';

interface Entry {
  readonly action: string;
  readonly details: unknown;
  readonly by: string;
  readonly at: string;
}

async function entriesOf(desk: FakeDesk, id: string): Promise<readonly Entry[]> {
  const { entries } = await runJson(desk, 'audit', 'list', id);
  return entries as readonly Entry[];
}

test('lists who did what to an organisation and its keys, and when', async () => {
  const desk = new FakeDesk();
  const id = await createdOrganization(desk);
  const { id: keyId } = await runJson(desk, 'key', 'create', '--org', id, '--mode', 'test');
  await runJson(desk, 'org', 'update', id, '--default-chain', '31337', '--in-flight', 'default');
  desk.time = new Date('2026-01-03T00:00:00.000Z');
  await runJson(desk, 'key', 'revoke', String(keyId));
  const entries = await entriesOf(desk, id);
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
  const desk = new FakeDesk();
  const id = await createdOrganization(desk);
  const { key } = await runJson(desk, 'key', 'create', '--org', id);
  await run(desk, 'key', 'revoke', String(key));
  for (const options of [[], ['--json']]) {
    const { out } = await run(desk, 'audit', 'list', id, ...options);
    expect(out).toContain('key revoke');
    expect(out).not.toContain('imp_');
  }
});

test('has no entry of what was refused, or changed nothing', async () => {
  const desk = new FakeDesk();
  const id = await createdOrganization(desk);
  const { id: keyId } = await runJson(desk, 'key', 'create', '--org', id);
  await run(desk, 'key', 'revoke', String(keyId));
  const before = await entriesOf(desk, id);
  await run(desk, 'key', 'revoke', String(keyId));
  await run(desk, 'key', 'revoke', 'ab'.repeat(16));
  await run(desk, 'org', 'update', id, '--default-chain', '5');
  await run(desk, 'attestation', 'erase', id, '01890000-0000-7000-8000-000000000000', '--yes');
  expect(await entriesOf(desk, id)).toEqual(before);
});

test("shows nothing of another organisation's trail, and takes a name", async () => {
  const desk = new FakeDesk();
  await createdOrganization(desk);
  const options = ['--name', 'The Daily', '--authority', otherAuthority];
  await runJson(desk, 'org', 'create', ...options);
  expect(await entriesOf(desk, 'The Daily')).toMatchObject([{ details: { name: 'The Daily' } }]);
});

test('lists in columns for people', async () => {
  const desk = new FakeDesk();
  const id = await createdOrganization(desk);
  const { out } = await run(desk, 'audit', 'list', id);
  expect(out).toMatch(/^WHEN +WHO +WHAT +DETAILS\n2026-01-02T03:04:05.678Z {2}ada@desk {2}org create {2}\{/);
});

test('says so when an organisation is older than the trail', async () => {
  const desk = new FakeDesk();
  const id = await createdOrganization(desk);
  for (const { key } of desk.records.all()) {
    if (key.pk === `audit#${id}`) await desk.records.update({ key, remove: true });
  }
  expect((await run(desk, 'audit', 'list', id)).out).toBe('Nothing was done to it since there is a trail.\n');
});

test('names the operator by user and host', () => {
  expect(operatorName()).toMatch(new RegExp(`^.+@${hostname()}$`));
});
