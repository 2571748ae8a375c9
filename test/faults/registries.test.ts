import { attestationsFunction } from 'imprimatur-contracts/attestation-registry-abi';
import { type Address, encodeFunctionData, type Hex, zeroHash } from 'viem';
import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { linkChild } from '../../functions/domain/requests/link-child.ts';
import { type Served, serve } from '../fakes/real/served.ts';
import { alice, bob } from '../fakes/world/world.ts';

test('row 25: a changed delegate setting harms neither attestations in progress nor a link', async () => {
  const { world, services, post, until, finishAndCheck } = await serve();
  const { attestation: parent } = await post(alice, 'parent');
  const { attestation: child } = await post(alice, 'child');
  await finishAndCheck();
  const { attestation: committed } = await post(alice, 'committed');
  await until(async () => (await world.row(committed)).status === 'committed');
  await linkChild(services, parent, child.id);
  const { attestation: pending } = await post(alice, 'pending');
  Object.assign(world.chain.settings, { delegates: [world.contracts.forwarderAddress] });
  await finishAndCheck();
  for (const one of [committed, pending]) expect((await world.row(one)).status).toBe('confirmed');
});

/** Starts a service with a newer registry, which the settings do not name yet. */
async function withNewer(forwarder: boolean) {
  const service = await serve({ forwarder, newer: true });
  const { chain, contracts, signer } = service.world;
  const { newer } = contracts;
  if (!newer) throw new Error('the world has no newer registry');
  const delegate = (address: Address) => (forwarder ? address : ('key' as const));
  const older = {
    registryAddress: contracts.registryAddress,
    delegates: [delegate(contracts.forwarderAddress)],
  };
  await chain.addOperator(newer.forwarderAddress, signer.address);
  return {
    ...{ service, older: older.registryAddress, newer: newer.registryAddress },
    /** Deploys settings with the newer registry in front. */
    putInFront: (formerRegistries = [older]) =>
      Object.assign(chain.settings, {
        ...{ registryAddress: newer.registryAddress, delegates: [delegate(newer.forwarderAddress)] },
        formerRegistries,
      }),
    delegateOnNewer: (authorityAddress: Address) => {
      const to = forwarder ? newer.forwarderAddress : signer.address;
      return chain.delegate(authorityAddress, to, newer.registryAddress);
    },
  };
}

/** Waits until no work is left, and checks that each row is confirmed on its registry only. */
async function expectConfirmedOn(
  { world, untilIdle }: Served,
  rows: readonly (readonly [Attestation, Address])[],
) {
  expect(await untilIdle()).toBe(true);
  const { contracts, chain } = world;
  for (const [key, registry] of rows) {
    const row = await world.row(key);
    expect(row).toMatchObject({ status: 'confirmed', error: null, registryAddress: registry });
    for (const { registryAddress } of [contracts, contracts.newer ?? contracts]) {
      const { attestationIndex } = await chain.registry.registryState({ ...row, registryAddress });
      expect(attestationIndex).toBe(registryAddress === registry ? row.attestationIndex : 0);
    }
  }
}

test.each([false, true])(
  'row 48: a newer registry takes over with work in progress, and nobody has to delegate again: forwarder %j',
  async (forwarder) => {
    const { service, older, newer, putInFront, delegateOnNewer } = await withNewer(forwarder);
    const { world, post, until } = service;
    const { attestation: committed } = await post(alice, 'committed');
    await until(async () => (await world.row(committed)).status === 'committed');
    const { attestation: pending } = await post(bob, 'pending');
    putInFront();
    const { attestation: later } = await post(bob, 'later');
    await delegateOnNewer(alice.authorityAddress);
    const { attestation: onNewer } = await post(alice, 'on the newer');
    const { attestation: known } = await post(alice, 'committed');
    expect(known.id).toBe(committed.id);
    world.chain.unreachable = true;
    const { attestation: unseen } = await post(alice, 'unseen');
    world.chain.unreachable = false;
    await expectConfirmedOn(service, [
      [committed, older],
      [pending, older],
      [later, older],
      [onNewer, newer],
      [unseen, newer],
    ]);
  },
);

async function childOf({ chain }: Served['world'], to: Address, attestationIndex: number): Promise<Hex> {
  const abi = [attestationsFunction] as const;
  const data = encodeFunctionData({ abi, args: [BigInt(attestationIndex)] });
  const answer = (await chain.node.request('eth_call', [{ to, data }, 'latest'])) as Hex;
  return `0x${answer.slice(-64)}`;
}

test('row 48: content in the older registry is not attested again, and is linked there even if the chain is down during the request', async () => {
  const { service, older, newer, putInFront, delegateOnNewer } = await withNewer(true);
  const { world, services, post, until } = service;
  const { digest } = await world.row((await post(bob, 'attested by alice')).attestation);
  await world.chain.attest(alice.authorityAddress, digest);
  putInFront();
  await delegateOnNewer(alice.authorityAddress);
  const { attestation: existing } = await post(alice, 'attested by alice');
  await expectConfirmedOn(service, [[existing, older]]);
  // Enough attestations that the newer registry also has one at the index of `existing`.
  const children: Attestation[] = [];
  for (const text of ['one', 'two', 'three']) children.push((await post(alice, text)).attestation);
  const [child] = children as [Attestation];
  await expectConfirmedOn(service, [[child, newer]]);
  world.chain.unreachable = true;
  await linkChild(services, existing, child.id);
  world.chain.unreachable = false;
  await until(async () => (await world.row(existing)).linkPhase === 'final');
  const { attestationIndex = 0 } = await world.row(existing);
  expect(await childOf(world, newer, attestationIndex)).toBe(zeroHash);
  expect(await childOf(world, older, attestationIndex)).toBe((await world.row(child)).digest);
});

test('row 48: an attestation is linked on its registry, which is no longer in the settings', async () => {
  const { service, older, newer, putInFront, delegateOnNewer } = await withNewer(true);
  const { world, services, post, until } = service;
  const { attestation: parent } = await post(alice, 'parent');
  await expectConfirmedOn(service, [[parent, older]]);
  putInFront([]);
  await delegateOnNewer(alice.authorityAddress);
  const { attestation: child } = await post(alice, 'child');
  await expectConfirmedOn(service, [[child, newer]]);
  await linkChild(services, parent, child.id);
  await until(async () => (await world.row(parent)).linkPhase === 'final');
  const { attestationIndex = 0, childDigest } = await world.row(parent);
  expect(await childOf(world, newer, attestationIndex)).toBe(childDigest ? zeroHash : undefined);
  expect(await childOf(world, older, attestationIndex)).toBe((await world.row(child)).digest);
});
