import { expect, test } from 'vitest';
import { CommandFailedError } from '../../../admin/terminal/errors.ts';
import { usageRecord } from '../../../functions/domain/organization/daily-usage.ts';
import { feeUsageRecord } from '../../../functions/domain/organization/fee-usage.ts';
import {
  authority,
  createdOrganization,
  FakeDeployment,
  otherAuthority,
  registryAddress,
  run,
  runJson,
  signerAddress,
} from './fake-deployment.ts';

test('shows the record, the limits in force, the keys and the delegation on every chain', async () => {
  const deployment = new FakeDeployment();
  deployment.delegates.set(authority, signerAddress);
  const id = await createdOrganization(deployment);
  const { id: keyId } = await runJson(deployment, 'key', 'create', '--org', id);
  await runJson(deployment, 'key', 'create', '--org', id);
  await runJson(deployment, 'key', 'revoke', String(keyId));
  await runJson(deployment, 'org', 'update', id, '--in-flight', '5');
  expect(await runJson(deployment, 'org', 'show', id)).toEqual({
    ...{ id, name: 'The Paper', authorityAddress: authority, defaultChainId: null },
    createdAt: '2026-01-02T03:04:05.678Z',
    limits: {
      attestationsPerDay: { value: 10_000, from: 'settings' },
      linksPerDay: { value: 1_000, from: 'settings' },
      requestsPerMinute: { value: 3_000, from: 'settings' },
      keyRequestsPerMinute: { value: 2_000, from: 'settings' },
      inFlight: { value: 5, from: 'organisation' },
      feeBudgets: { 31337: { value: 6, from: 'settings' } },
    },
    today: { attestations: 0, links: 0, fees: { 31337: '0' } },
    keys: { active: 1, expired: 0, revoked: 1 },
    delegations: [
      {
        ...{ chainId: 31337, name: 'Local', active: true, error: null },
        ...{ registryAddress, delegateAddress: signerAddress, expectedDelegateAddress: signerAddress },
      },
    ],
  });
});

test('shows what it used today of what its limits allow', async () => {
  const deployment = new FakeDeployment();
  const id = await createdOrganization(deployment);
  const at = '2026-01-02T00:00:00.000Z';
  await deployment.records.update({ key: usageRecord(id, at), put: { accepted: 7, links: 2 } });
  await deployment.records.update({ key: feeUsageRecord(id, 31337, at), put: { gwei: 20_500_000 } });
  const { today } = await runJson(deployment, 'org', 'show', id);
  expect(today).toEqual({ attestations: 7, links: 2, fees: { 31337: '0.0205' } });
  const { out } = await run(deployment, 'org', 'show', id);
  expect(out).toMatch(/^used today +7 attestations, 2 links, fees: 0\.0205 on 31337$/m);
});

test('says for people where a limit comes from', async () => {
  const deployment = new FakeDeployment();
  const id = await createdOrganization(deployment);
  await runJson(deployment, 'org', 'update', id, '--in-flight', '5');
  const { out } = await run(deployment, 'org', 'show', id);
  expect(out).toMatch(/^attestations per day +10000 \(the settings' default\)$/m);
  expect(out).toMatch(/^in flight +5 \(for this organisation\)$/m);
  expect(out).toMatch(/^fees per day on 31337 +6 \(the settings' default\)$/m);
  expect(out).toMatch(/^31337 \(Local\) +not active +nobody +0xf39F/m);
});

test('shows the rest when a chain cannot be asked, and why not', async () => {
  const deployment = new FakeDeployment();
  const id = await createdOrganization(deployment);
  const error = 'no RPC provider of chain 31337 answers as that chain; check them';
  deployment.chain = () => Promise.reject(new CommandFailedError(error));
  const { delegations } = await runJson(deployment, 'org', 'show', id);
  expect(delegations).toEqual([expect.objectContaining({ active: null, delegateAddress: null, error })]);
  expect((await run(deployment, 'org', 'show', id)).exitCode).toBe(0);
});

test('fails on what is no trouble of the chain', async () => {
  const deployment = new FakeDeployment();
  const id = await createdOrganization(deployment);
  deployment.chain = () => Promise.reject(new Error('broken'));
  expect((await run(deployment, 'org', 'show', id)).exitCode).toBe(1);
});

test('finds an organisation by its name, and by its id in capitals', async () => {
  const deployment = new FakeDeployment();
  const id = await createdOrganization(deployment);
  for (const text of ['The Paper', id.toUpperCase()]) {
    expect(await runJson(deployment, 'org', 'show', text)).toMatchObject({ id });
  }
});

test('refuses a name that two have, and names both ids', async () => {
  const deployment = new FakeDeployment();
  const ids = [await createdOrganization(deployment), await createdOrganization(deployment, otherAuthority)];
  const { exitCode, error } = await run(deployment, 'org', 'show', 'The Paper');
  expect(exitCode).toBe(1);
  for (const id of ids) expect(error).toContain(id);
});

test.each(['The paper', '01890000-0000-7000-8000-000000000000'])('refuses the unknown %s', async (text) => {
  const deployment = new FakeDeployment();
  await createdOrganization(deployment);
  const { exitCode, error } = await run(deployment, 'org', 'show', text);
  expect(exitCode).toBe(1);
  expect(error).toMatch(/^admin: no organisation has the .+; `org list` shows them\n$/);
});
