import { attestationsFunction } from 'imprimatur-contracts/attestation-registry-abi';
import { type Address, encodeFunctionData, type Hex, zeroHash } from 'viem';
import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { linkChild } from '../../functions/domain/requests/link-child.ts';
import { listChains } from '../../functions/domain/requests/list-chains.ts';
import type { RegistryContracts } from '../fakes/real/real-contracts.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { routes, type Served, serve } from './world/served.ts';

type Route = (typeof routes)[number];

/** A service with a newer registry deployed, which the settings do not name yet. */
async function withNewer(route: Route) {
  const service = await serve({ ...route, newer: true });
  const { chain, contracts, signer } = service.world;
  const { newer } = contracts;
  if (!newer) throw new Error('the world has no newer registry');
  const delegates = ({ forwarderAddress }: RegistryContracts) => [
    route.forwarder ? forwarderAddress : ('key' as const),
  ];
  const older = { registryAddress: contracts.registryAddress, delegates: delegates(contracts) };
  await chain.addOperator(newer.forwarderAddress, signer.address);
  return {
    ...{ service, older: older.registryAddress, newer: newer.registryAddress },
    /** Deploys settings with the newer registry in front. */
    putInFront: () =>
      Object.assign(chain.settings, {
        ...{ registryAddress: newer.registryAddress, delegates: delegates(newer) },
        formerRegistries: [older],
      }),
    delegateOnNewer: (authorityAddress: Address) =>
      chain.delegate(
        authorityAddress,
        route.forwarder ? newer.forwarderAddress : signer.address,
        newer.registryAddress,
      ),
  };
}

/** Waits until nothing is owed; then the rows are confirmed, each on its registry and on no other. */
async function endsOn({ world, untilIdle }: Served, rows: readonly (readonly [Attestation, Address])[]) {
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

/** The digest that the registry has of an attestation's child. */
async function childOf({ chain }: Served['world'], to: Address, attestationIndex: number): Promise<Hex> {
  const abi = [attestationsFunction] as const;
  const data = encodeFunctionData({ abi, args: [BigInt(attestationIndex)] });
  const answer = (await chain.node.ask('eth_call', [{ to, data }, 'latest'])) as Hex;
  return `0x${answer.slice(-64)}`;
}

test.each(routes)(
  'row 48: a newer registry is put in front with work under way, and nobody has to delegate again: %j',
  async (route) => {
    const { service, older, newer, putInFront, delegateOnNewer } = await withNewer(route);
    const { world, services, post, until } = service;
    const { attestation: committed } = await post(alice, 'committed');
    await until(async () => (await world.row(committed)).status === 'committed');
    const { attestation: pending } = await post(bob, 'pending');
    putInFront();
    const { attestation: later } = await post(bob, 'later');
    await delegateOnNewer(alice.authorityAddress);
    const { attestation: onNewer } = await post(alice, 'on the newer');
    await endsOn(service, [
      [committed, older],
      [pending, older],
      [later, older],
      [onNewer, newer],
    ]);
    const registryOf = async ({ authorityAddress }: typeof alice) =>
      (await listChains(services, authorityAddress)).map((chain) => [
        chain.registryAddress,
        chain.delegationActive,
      ]);
    expect(await registryOf(alice)).toEqual([[newer, true]]);
    expect(await registryOf(bob)).toEqual([[older, true]]);
  },
);

test.each(routes)(
  'row 48: a content attested on the older registry is not attested again, and is linked there: %j',
  async (route) => {
    const { service, older, newer, putInFront, delegateOnNewer } = await withNewer(route);
    const { world, services, post, until } = service;
    const { attestation: parent } = await post(alice, 'parent');
    const { digest } = await world.row((await post(bob, 'by herself')).attestation);
    await world.chain.attest(alice.authorityAddress, digest);
    await endsOn(service, [[parent, older]]);
    putInFront();
    await delegateOnNewer(alice.authorityAddress);
    const { attestation: found } = await post(alice, 'by herself');
    const { attestation: child } = await post(alice, 'child');
    await endsOn(service, [
      [found, older],
      [child, newer],
    ]);
    await linkChild(services, parent, child.id);
    await until(async () => (await world.row(parent)).linkPhase === 'final');
    expect((await world.row(parent)).childLinkError).toBeUndefined();
  },
);

test.each(routes)(
  'row 48: a link asked for while the chain cannot be reached stays on the registry of its attestation: %j',
  async (route) => {
    const { service, newer, putInFront, delegateOnNewer } = await withNewer(route);
    const { world, services, post, until } = service;
    const { digest } = await world.row((await post(bob, 'by herself')).attestation);
    await world.chain.attest(alice.authorityAddress, digest);
    putInFront();
    await delegateOnNewer(alice.authorityAddress);
    const { attestation: found } = await post(alice, 'by herself');
    expect(await service.untilIdle()).toBe(true);
    const children = [];
    for (const text of ['one', 'two', 'three']) children.push((await post(alice, text)).attestation);
    expect(await service.untilIdle()).toBe(true);
    const [child] = children;
    if (!child) throw new Error('no child');
    world.chain.unreachable = true;
    await linkChild(services, found, child.id);
    world.chain.unreachable = false;
    await until(async () => (await world.row(found)).linkPhase === 'final');
    const { attestationIndex = 0 } = await world.row(found);
    expect(await childOf(world, newer, attestationIndex)).toBe(zeroHash);
    expect(await childOf(world, world.contracts.registryAddress, attestationIndex)).toBe(
      (await world.row(child)).digest,
    );
  },
);

test.each(routes)(
  'row 48: of a registry that the settings do not name any more, an attestation is linked there: %j',
  async (route) => {
    const { service, older, newer, putInFront, delegateOnNewer } = await withNewer(route);
    const { world, services, post, until } = service;
    const { attestation: parent } = await post(alice, 'parent');
    await endsOn(service, [[parent, older]]);
    putInFront();
    Object.assign(world.chain.settings, { formerRegistries: [] });
    await delegateOnNewer(alice.authorityAddress);
    const { attestation: child } = await post(alice, 'child');
    await endsOn(service, [[child, newer]]);
    await linkChild(services, parent, child.id);
    await until(async () => (await world.row(parent)).linkPhase === 'final');
    const { attestationIndex = 0 } = await world.row(parent);
    expect(await childOf(world, newer, attestationIndex)).toBe(zeroHash);
    expect(await childOf(world, older, attestationIndex)).toBe((await world.row(child)).digest);
  },
);

test.each(routes)(
  'row 48: while the chain cannot be reached, what is accepted goes where the authority was seen to delegate: %j',
  async (route) => {
    const { service, older, newer, putInFront, delegateOnNewer } = await withNewer(route);
    const { world, post } = service;
    putInFront();
    await delegateOnNewer(alice.authorityAddress);
    await post(alice, 'seen');
    await post(bob, 'seen');
    world.chain.unreachable = true;
    const { attestation: onNewer } = await post(alice, 'unseen');
    const { attestation } = await post(bob, 'unseen');
    world.chain.unreachable = false;
    await endsOn(service, [
      [onNewer, newer],
      [attestation, older],
    ]);
  },
);
