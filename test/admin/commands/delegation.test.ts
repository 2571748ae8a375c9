import { getAddress } from 'viem';
import { expect, test } from 'vitest';
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

async function status(deployment: FakeDeployment) {
  const organizationId = await createOrganization(deployment);
  const command = ['delegation', 'status', '--org', organizationId, '--chain', '31337'];
  return {
    organizationId,
    json: await runJson(deployment, ...command),
    text: await run(deployment, ...command),
  };
}

test('`delegation status` shows an active delegation without further steps', async () => {
  const deployment = new FakeDeployment();
  deployment.delegates.set(authority, signerAddress);
  const { organizationId, json, text } = await status(deployment);
  expect(json).toEqual({
    organizationId,
    chainId: 31337,
    registryAddress,
    authorityAddress: authority,
    delegateAddress: signerAddress,
    expectedDelegateAddress: signerAddress,
    active: true,
    advice: null,
  });
  expect(text.out).toMatch(/^delegation +active$/m);
});

const advice = `From ${authority}, call delegate(${signerAddress}) on ${registryAddress}, chain 31337.`;

test.each([
  ['nobody', null],
  ['another address', otherAuthority],
])(
  '`delegation status` shows a delegation to %s as not active, with the next step',
  async (_, delegateAddress) => {
    const deployment = new FakeDeployment();
    if (delegateAddress) deployment.delegates.set(authority, delegateAddress);
    const { json, text } = await status(deployment);
    expect(json).toMatchObject({ delegateAddress, active: false, advice });
    expect(text.exitCode).toBe(0);
    expect(text.out).toMatch(new RegExp(`^delegates to +${delegateAddress ?? 'nobody'}$`, 'm'));
    expect(text.out).toContain(advice);
  },
);

const forwarder = '0x1111111111111111111111111111111111111111';

test.each([
  ['the newest delegate', forwarder],
  ['an older delegate', signerAddress],
] as const)('`delegation status` shows a delegation to %s as active', async (_, delegate) => {
  const deployment = new FakeDeployment();
  deployment.chainDelegates = [forwarder, 'key'];
  deployment.delegates.set(authority, delegate);
  const { json } = await status(deployment);
  expect(json).toMatchObject({ delegateAddress: delegate, expectedDelegateAddress: delegate, active: true });
});

test('`delegation status` shows the newest registry with an active delegation', async () => {
  const former = { registryAddress: getAddress(forwarder), delegates: ['key' as const] };
  const deployment = new FakeDeployment();
  deployment.formerRegistries = [former];
  const organizationId = await createOrganization(deployment);
  const shown = () =>
    runJson(deployment, 'delegation', 'status', '--org', organizationId, '--chain', '31337');
  expect(await shown()).toMatchObject({ registryAddress, active: false, advice });
  deployment.formerDelegates.set(authority, signerAddress);
  const delegation = { delegateAddress: signerAddress, active: true, advice: null };
  expect(await shown()).toMatchObject({ registryAddress: former.registryAddress, ...delegation });
  deployment.delegates.set(authority, signerAddress);
  expect(await shown()).toMatchObject({ registryAddress, ...delegation });
});
