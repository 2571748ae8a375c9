import { describe, expect, test } from 'vitest';
import { CommandFailedError } from '../../../admin/terminal/errors.ts';
import { usageRecord } from '../../../functions/domain/organization/daily-usage.ts';
import { feeUsageRecord } from '../../../functions/domain/organization/fee-usage.ts';
import { findOrganization } from '../../../functions/domain/organization/organization.ts';
import {
  authority,
  createOrganization,
  FakeDeployment,
  otherAuthority,
  registryAddress,
  run,
  runJson,
  signerAddress,
} from './fake-deployment.ts';

const uuidv7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

test('`org create --json` prints the organization as one JSON object', async () => {
  const options = ['--name', ' The Paper ', '--authority', authority.toLowerCase()];
  const organization = await runJson(
    new FakeDeployment(),
    ...['org', 'create', ...options, '--default-chain', '31337'],
  );
  expect(organization).toEqual({
    id: expect.stringMatching(uuidv7),
    name: 'The Paper',
    authorityAddress: authority,
    defaultChainId: 31337,
  });
});

test('`org list` prints the organizations, oldest first', async () => {
  const deployment = new FakeDeployment();
  const first = await createOrganization(deployment);
  deployment.time = new Date('2026-01-03T00:00:00.000Z');
  const second = await createOrganization(deployment, otherAuthority);
  const common = { name: 'The Paper', defaultChainId: null };
  expect(await runJson(deployment, 'org', 'list')).toEqual({
    organizations: [
      { ...common, id: first, authorityAddress: authority, createdAt: '2026-01-02T03:04:05.678Z' },
      { ...common, id: second, authorityAddress: otherAuthority, createdAt: '2026-01-03T00:00:00.000Z' },
    ],
  });
});

test('`org create` rejects a default chain that is not served, and lists those that are', async () => {
  const deployment = new FakeDeployment();
  const create = ['org', 'create', '--name', 'N', '--authority', authority, '--default-chain', '5'];
  const error = 'admin: chain 5 is not served; this deployment serves 31337 (Local)\n';
  expect(await run(deployment, ...create)).toEqual({ exitCode: 1, out: '', error });
  expect(deployment.records.all()).toEqual([]);
});

test('`org show` prints the record, limits, keys and delegations', async () => {
  const deployment = new FakeDeployment();
  deployment.delegates.set(authority, signerAddress);
  const id = await createOrganization(deployment);
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
      inFlight: { value: 5, from: 'organization' },
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

test("`org show` prints the origin of each limit and today's usage", async () => {
  const deployment = new FakeDeployment();
  expect((await run(deployment, 'org', 'list')).out).toContain('Run org create');
  const id = await createOrganization(deployment);
  const at = '2026-01-02T00:00:00.000Z';
  await deployment.records.update({ key: usageRecord(id, at), put: { accepted: 7, links: 2 } });
  await deployment.records.update({ key: feeUsageRecord(id, 31337, at), put: { gwei: 20_500_000 } });
  const { today } = await runJson(deployment, 'org', 'show', id);
  expect(today).toEqual({ attestations: 7, links: 2, fees: { 31337: '0.0205' } });
  await runJson(deployment, 'org', 'update', id, '--in-flight', '5');
  const { out } = await run(deployment, 'org', 'show', id);
  expect(out).toMatch(/^attestations per day +10000 \(default of the settings\)$/m);
  expect(out).toMatch(/^in flight +5 \(for this organization\)$/m);
  expect(out).toMatch(/^fees per day on 31337 +6 \(default of the settings\)$/m);
  expect(out).toMatch(/^used today +7 attestations, 2 links, fees: 0\.0205 on 31337$/m);
  expect(out).toMatch(/^31337 \(Local\) +not active +nobody +0xf39F/m);
});

test('`org show` reports a chain that it cannot read, and prints the rest', async () => {
  const deployment = new FakeDeployment();
  const id = await createOrganization(deployment);
  const error = 'no RPC provider of chain 31337 answers as that chain; check them';
  deployment.chain = () => Promise.reject(new CommandFailedError(error));
  const { delegations } = await runJson(deployment, 'org', 'show', id);
  expect(delegations).toEqual([expect.objectContaining({ active: null, delegateAddress: null, error })]);
  expect((await run(deployment, 'org', 'show', id)).exitCode).toBe(0);
});

async function organization() {
  const deployment = new FakeDeployment();
  const id = await createOrganization(deployment);
  return {
    deployment,
    id,
    update: (...options: string[]) => runJson(deployment, 'org', 'update', id, ...options),
  };
}

test('`org update` changes only the given fields', async () => {
  const { deployment, id, update } = await organization();
  const before = await findOrganization(deployment.records, id);
  expect(await update('--name', 'The Daily', '--default-chain', '31337')).toMatchObject({
    ...{ id, name: 'The Daily', defaultChainId: 31337 },
  });
  const after = { ...before, name: 'The Daily', defaultChainId: 31337 };
  expect(await findOrganization(deployment.records, id)).toEqual(after);
  expect(await update('--default-chain', 'none')).toMatchObject({ defaultChainId: null });
});

describe('limits', () => {
  test('are changed one by one, and return to the settings with `default`', async () => {
    const { deployment, id, update } = await organization();
    await update('--attestations-per-day', '20');
    const both = await update('--in-flight', '5');
    expect(both.limits).toMatchObject({
      attestationsPerDay: { value: 20, from: 'organization' },
      inFlight: { value: 5, from: 'organization' },
    });
    const one = await update('--attestations-per-day', 'default');
    expect(one.limits).toMatchObject({ attestationsPerDay: { value: 10_000, from: 'settings' } });
    expect((await findOrganization(deployment.records, id)).limits).toEqual({ inFlight: 5 });
  });

  test('include a fee budget for each chain', async () => {
    const { deployment, id, update } = await organization();
    await update('--links-per-day', '30');
    const { limits } = await update('--fee-budget', '31337=0.25');
    expect(limits).toMatchObject({ feeBudgets: { 31337: { value: 0.25, from: 'organization' } } });
    const stored = { linksPerDay: 30, feeBudgets: { 31337: 0.25 } };
    expect((await findOrganization(deployment.records, id)).limits).toEqual(stored);
    await update('--fee-budget', '31337=default');
    expect((await findOrganization(deployment.records, id)).limits).toEqual({ linksPerDay: 30 });
  });

  test('reject a fee budget for a chain that is not served', async () => {
    const { deployment, id } = await organization();
    expect((await run(deployment, 'org', 'update', id, '--fee-budget', '5=1')).exitCode).toBe(1);
    expect(await findOrganization(deployment.records, id)).not.toHaveProperty('limits');
  });
});
