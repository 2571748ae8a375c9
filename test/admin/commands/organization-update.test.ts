import { describe, expect, test } from 'vitest';
import { authenticate } from '../../../functions/domain/organization/api-keys.ts';
import { findOrganization } from '../../../functions/domain/organization/organization.ts';
import { createdOrganization, FakeDeployment, run, runJson } from './fake-deployment.ts';

async function organization() {
  const deployment = new FakeDeployment();
  const id = await createdOrganization(deployment);
  return {
    deployment,
    id,
    update: (...options: string[]) => runJson(deployment, 'org', 'update', id, ...options),
  };
}

test('changes the name and the default chain, and nothing else', async () => {
  const { deployment, id, update } = await organization();
  const before = await findOrganization(deployment.records, id);
  expect(await update('--name', 'The Daily', '--default-chain', '31337')).toMatchObject({
    ...{ id, name: 'The Daily', defaultChainId: 31337 },
  });
  const after = { ...before, name: 'The Daily', defaultChainId: 31337 };
  expect(await findOrganization(deployment.records, id)).toEqual(after);
  expect(await runJson(deployment, 'org', 'list')).toEqual({ organizations: [after] });
});

test('takes the default chain away with none', async () => {
  const { update } = await organization();
  await update('--default-chain', '31337');
  expect(await update('--default-chain', 'none')).toMatchObject({ defaultChainId: null });
});

test('holds from the next request of a key on', async () => {
  const { deployment, id, update } = await organization();
  const { key } = await runJson(deployment, 'key', 'create', '--org', id);
  await update('--default-chain', '31337', '--in-flight', '5');
  const caller = await authenticate(deployment.records, String(key), deployment.now());
  expect(caller).toMatchObject({ defaultChainId: 31337, limits: { inFlight: 5 } });
});

describe('limits', () => {
  test('are changed one by one, and fall back to the settings with default', async () => {
    const { deployment, id, update } = await organization();
    await update('--attestations-per-day', '20');
    const both = await update('--in-flight', '5');
    expect(both.limits).toEqual({
      attestationsPerDay: { value: 20, from: 'organisation' },
      linksPerDay: { value: 1_000, from: 'settings' },
      requestsPerMinute: { value: 3_000, from: 'settings' },
      keyRequestsPerMinute: { value: 2_000, from: 'settings' },
      inFlight: { value: 5, from: 'organisation' },
      feeBudgets: { 31337: { value: 6, from: 'settings' } },
    });
    const one = await update('--attestations-per-day', 'default');
    expect(one.limits).toMatchObject({ attestationsPerDay: { value: 10_000, from: 'settings' } });
    expect((await findOrganization(deployment.records, id)).limits).toEqual({ inFlight: 5 });
  });

  test('have a budget of fees for each chain, and none goes with the last of them', async () => {
    const { deployment, id, update } = await organization();
    await update('--links-per-day', '30');
    const { limits } = await update('--fee-budget', '31337=0.25');
    expect(limits).toMatchObject({ feeBudgets: { 31337: { value: 0.25, from: 'organisation' } } });
    const stored = { linksPerDay: 30, feeBudgets: { 31337: 0.25 } };
    expect((await findOrganization(deployment.records, id)).limits).toEqual(stored);
    await update('--fee-budget', '31337=default');
    expect((await findOrganization(deployment.records, id)).limits).toEqual({ linksPerDay: 30 });
  });

  test('of fees are refused for a chain that is not served', async () => {
    const { deployment, id } = await organization();
    expect((await run(deployment, 'org', 'update', id, '--fee-budget', '5=1')).exitCode).toBe(1);
    expect(await findOrganization(deployment.records, id)).not.toHaveProperty('limits');
  });

  test('stay when something else is changed', async () => {
    const { deployment, id, update } = await organization();
    await update('--in-flight', '5');
    await update('--name', 'The Daily');
    expect((await findOrganization(deployment.records, id)).limits).toEqual({ inFlight: 5 });
  });
});

test.each([
  ['--in-flight', '0'],
  ['--in-flight', '1.5'],
  ['--attestations-per-day', 'none'],
  ['--links-per-day', '0'],
  ['--fee-budget', '31337'],
  ['--fee-budget', '31337=0'],
  ['--fee-budget', '31337=-1'],
  ['--fee-budget', '0=1'],
  ['--fee-budget', '31337=1e3'],
  ['--default-chain', 'default'],
  ['--name', ' '],
])('refuses %s %j', async (...option) => {
  const { deployment, id } = await organization();
  const { exitCode } = await run(deployment, 'org', 'update', id, ...option);
  expect(exitCode).toBe(2);
});

test('refuses a default chain that is not served, and changes nothing', async () => {
  const { deployment, id } = await organization();
  const before = deployment.records.all();
  const { exitCode, error } = await run(deployment, 'org', 'update', id, '--default-chain', '5');
  expect({ exitCode, error }).toEqual({
    exitCode: 1,
    error: 'admin: chain 5 is not served; this deployment serves 31337 (Local)\n',
  });
  expect(deployment.records.all()).toEqual(before);
});
