import { expect, test } from 'vitest';
import type { Attestation, AttestationStatus } from '../../functions/domain/attestation/attestation.ts';
import { DelegationInactiveError } from '../../functions/domain/errors.ts';
import { linkChild } from '../../functions/domain/requests/link-child.ts';
import type { ChainSettings } from '../../functions/domain/settings.ts';
import { alice } from '../fakes/world/world.ts';
import { routes, type Served, serve } from './world/served.ts';

const text = 'An article.';

/** A deployment with another `delegate` setting: whatever runs from now on has it. */
function deploy({ world }: Served, delegates: ChainSettings['delegates']): void {
  Object.assign(world.chain.settings, { delegates });
}

async function statusOf({ world }: Served, row: Attestation): Promise<AttestationStatus> {
  return (await world.row(row)).status;
}

async function untilStatus(service: Served, row: Attestation, status: AttestationStatus): Promise<void> {
  await service.until(async () => (await statusOf(service, row)) === status);
}

/** That it failed for want of the delegation, and can be posted again when there is one. */
async function expectSecondChance(service: Served, failed: Attestation): Promise<void> {
  const { chain, delegateAddress, row } = service.world;
  await untilStatus(service, failed, 'failed');
  const { error } = await row(failed);
  expect(error).toContain(`delegation of ${alice.authorityAddress} to ${delegateAddress}`);
  await expect(service.post(alice, text)).rejects.toThrow(DelegationInactiveError);
  await chain.delegate(alice.authorityAddress, delegateAddress);
  const again = await service.post(alice, text);
  expect([again.accepted, again.attestation.id === failed.id]).toEqual([true, false]);
  await service.endsByRule();
  expect([await statusOf(service, failed), await statusOf(service, again.attestation)]).toEqual([
    'failed',
    'confirmed',
  ]);
}

test.each(routes)(
  'row 25: a delegation revoked before the commit fails it, by its name: %j',
  async (route) => {
    const service = await serve(route);
    const { attestation } = await service.post(alice, text);
    await service.world.chain.revokeDelegation(alice.authorityAddress);
    await expectSecondChance(service, attestation);
  },
);

test.each(routes)(
  'row 25: a delegation revoked before the reveal fails it, by its name: %j',
  async (route) => {
    const service = await serve(route);
    const { attestation } = await service.post(alice, text);
    await untilStatus(service, attestation, 'committed');
    await service.world.chain.revokeDelegation(alice.authorityAddress);
    await expectSecondChance(service, attestation);
  },
);

test.each(routes)(
  'row 25: a setting of delegates that changes harms nothing that is under way: %j',
  async (route) => {
    const service = await serve(route);
    const { chain, contracts, signer } = service.world;
    const { attestation: earlier } = await service.post(alice, 'earlier');
    await untilStatus(service, earlier, 'committed');
    const { attestation } = await service.post(alice, text);
    deploy(service, [route.forwarder ? 'key' : contracts.forwarderAddress]);
    await service.endsByRule();
    for (const row of [earlier, attestation]) expect(await statusOf(service, row)).toBe('confirmed');

    await expect(service.post(alice, 'later')).rejects.toThrow(DelegationInactiveError);
    const next = route.forwarder ? signer.address : contracts.forwarderAddress;
    await chain.delegate(alice.authorityAddress, next);
    const { attestation: later } = await service.post(alice, 'later');
    await service.endsByRule();
    expect(await statusOf(service, later)).toBe('confirmed');
  },
);

test.each(routes)(
  'row 25: a link that waits while the setting changes is made all the same: %j',
  async (route) => {
    const service = await serve(route);
    const { contracts } = service.world;
    const { attestation: parent } = await service.post(alice, text);
    const { attestation: child } = await service.post(alice, 'child');
    await service.endsByRule();
    await linkChild(service.services, parent, child.id);
    deploy(service, [route.forwarder ? 'key' : contracts.forwarderAddress]);
    await service.endsByRule();
  },
);
