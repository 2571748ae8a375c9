import { expect, test } from 'vitest';
import type { Attestation, AttestationStatus } from '../../functions/domain/attestation/attestation.ts';
import { linkChild } from '../../functions/domain/requests/link-child.ts';
import { alice } from '../fakes/world/world.ts';
import { routes, type Served, serve } from './world/served.ts';

const text = 'An article.';

/** Both delegates served, and the one to which the authority does not delegate yet. */
async function bothServed(route: (typeof routes)[number]) {
  const service = await serve(route);
  const { chain, contracts, signer } = service.world;
  Object.assign(chain.settings, { delegates: ['key', contracts.forwarderAddress] });
  return { service, other: route.forwarder ? signer.address : contracts.forwarderAddress };
}

async function until({ world, until }: Served, row: Attestation, status: AttestationStatus): Promise<void> {
  await until(async () => (await world.row(row)).status === status);
}

const cases = routes.flatMap((route) =>
  (['pending', 'committed'] as const).map((status) => ({ status, route })),
);

test.each(cases)(
  'row 41: an authority that moves to the other delegate is told so, and a post works at once: $status $route',
  async ({ status, route }) => {
    const { service, other } = await bothServed(route);
    const { chain, delegateAddress, row } = service.world;
    const { attestation } = await service.post(alice, text);
    await until(service, attestation, status);
    await chain.delegate(alice.authorityAddress, other);
    await until(service, attestation, 'failed');
    expect((await row(attestation)).error).toMatch(
      new RegExp(`^the authority moved its delegation .* from ${delegateAddress} to ${other}; submit`),
    );
    const again = await service.post(alice, text);
    expect(again).toMatchObject({ accepted: true, attestation: { delegateAddress: other } });
    await service.endsByRule();
    expect((await row(again.attestation)).status).toBe('confirmed');
  },
);

test.each(routes)('row 41: a link of an authority that moved says what to post again: %j', async (route) => {
  const { service, other } = await bothServed(route);
  const { world, services, post, until, endsByRule } = service;
  const { attestation: parent } = await post(alice, text);
  const { attestation: child } = await post(alice, 'child');
  await endsByRule();
  await linkChild(services, parent, child.id);
  await world.chain.delegate(alice.authorityAddress, other);
  await until(async () => (await world.row(parent)).linkPhase === 'refused');
  expect((await world.row(parent)).childLinkError).toContain(`to ${other}; post the link again`);
  await linkChild(services, parent, child.id);
  await endsByRule();
});
