import { zeroAddress } from 'viem';
import { expect, test } from 'vitest';
import { listChains } from '../../../../functions/domain/requests/list-chains.ts';
import {
  alice,
  bob,
  chainId,
  forwarderAddress,
  makeWorld,
  registryAddress,
} from '../../../fakes/world/world.ts';

const older = '0x3333333333333333333333333333333333333333';

test('the list shows what a publisher needs to delegate on each chain, and whether it is done', async () => {
  const world = makeWorld({ explorerUrl: 'https://explorer.example' });
  world.chain.revokeDelegation(bob.authorityAddress);
  const chain = {
    ...{ chainId, name: 'Simulated', registryAddress, explorerUrl: 'https://explorer.example' },
    delegateAddress: world.signer.address,
  };
  expect(await listChains(world.services, alice.authorityAddress)).toEqual([
    { ...chain, authorityAddress: alice.authorityAddress, delegationActive: true },
  ]);
  expect(await listChains(world.services, bob.authorityAddress)).toEqual([
    { ...chain, authorityAddress: bob.authorityAddress, delegationActive: false },
  ]);
});

test.each([
  [
    'the first one in the settings if the authority chose none of them',
    [forwarderAddress, older] as const,
    bob.authorityAddress,
    forwarderAddress,
    false,
  ],
  [
    'another one in the settings if the authority chose it',
    [older, forwarderAddress] as const,
    forwarderAddress,
    forwarderAddress,
    true,
  ],
  [
    'the first one in the settings if there is no delegation',
    [forwarderAddress, 'key'] as const,
    zeroAddress,
    forwarderAddress,
    false,
  ],
])('the delegate shown is %s', async (_, delegates, chosen, delegateAddress, delegationActive) => {
  const world = makeWorld({ delegates: [...delegates] });
  if (chosen === zeroAddress) world.chain.revokeDelegation(alice.authorityAddress);
  else world.chain.delegate(alice.authorityAddress, chosen);
  expect(await listChains(world.services, alice.authorityAddress)).toMatchObject([
    { delegateAddress, delegationActive },
  ]);
});

test('the delegate shown is the key’s own address if the authority chose it', async () => {
  const world = makeWorld({ delegates: [forwarderAddress, 'key'] });
  const delegateAddress = world.signer.address;
  expect(await listChains(world.services, alice.authorityAddress)).toMatchObject([
    { delegateAddress, delegationActive: true },
  ]);
});

test('all chains are listed in the order of the settings, also when one cannot be reached', async () => {
  const world = makeWorld();
  const [settings] = world.settings.chains;
  if (!settings) throw new Error('the settings have no chain');
  const chains = [{ ...settings, chainId: 1, name: 'Other' }, settings];
  const services = { ...world.services, settings: { ...world.settings, chains } };
  // The world does not serve chain 1, which counts as unreachable.
  expect(await listChains(services, alice.authorityAddress)).toMatchObject([
    { chainId: 1, delegateAddress: world.signer.address, delegationActive: null },
    { chainId, delegateAddress: world.signer.address, delegationActive: true },
  ]);
  expect(world.log.messages('error')).toEqual(['delegation not read']);
  world.chain.unreachable = true;
  const unreachable = await listChains(world.services, alice.authorityAddress);
  expect(unreachable.map(({ delegationActive }) => delegationActive)).toEqual([null]);
});
