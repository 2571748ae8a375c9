import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { parseContent } from '../../functions/domain/attestation/content.ts';
import { contentDigest } from '../../functions/domain/attestation/content-cid.ts';
import { ContentRevokedError } from '../../functions/domain/errors.ts';
import { linkChild } from '../../functions/domain/requests/link-child.ts';
import { alice } from '../fakes/world/world.ts';
import { routes, type Served, serve } from './world/served.ts';

const text = 'An article.';

async function postConfirmed(service: Served, content = text): Promise<Attestation> {
  const { attestation } = await service.post(alice, content);
  await service.endsByRule();
  return service.world.row(attestation);
}

/** Revokes it as its authority, and makes that final. @returns the time of the revocation, ISO 8601 */
async function revoke({ world }: Served, { attestationIndex = 0 }: Attestation): Promise<string> {
  await world.chain.revokeAttestation(alice.authorityAddress, attestationIndex);
  const { timestamp } = world.chain.newest;
  await world.mine(world.chain.settings.confirmations);
  return new Date(timestamp * 1000).toISOString();
}

/** The attestation that a post of its content is answered with; it must be the one that stands. */
async function postAgain(service: Served, { id, contentCid }: Attestation): Promise<Attestation> {
  const { attestation, accepted } = await service.post(alice, text);
  expect([accepted, attestation.id, attestation.status]).toEqual([false, id, 'confirmed']);
  expect(attestation.contentCid).toBe(contentCid);
  // What GET and the list show is what a post showed.
  expect(await service.world.row(attestation)).toEqual(attestation);
  return attestation;
}

test.each(routes)(
  'row 42: a confirmed attestation that its authority revokes stays, and a post of it says since when: %j',
  async (route) => {
    const service = await serve(route);
    const { chain } = service.world;
    const confirmed = await postConfirmed(service);
    expect(await postAgain(service, confirmed)).not.toHaveProperty('revokedAt');
    await chain.revokeAttestation(alice.authorityAddress, confirmed.attestationIndex ?? 0);
    expect(await postAgain(service, confirmed), 'not final').not.toHaveProperty('revokedAt');
    const revokedAt = new Date(chain.newest.timestamp * 1000).toISOString();
    await service.world.mine(chain.settings.confirmations);
    chain.unreachable = true;
    expect(await postAgain(service, confirmed), 'out of reach').not.toHaveProperty('revokedAt');
    chain.unreachable = false;
    expect(await postAgain(service, confirmed)).toEqual({ ...confirmed, revokedAt });
    chain.unreachable = true;
    expect(await postAgain(service, confirmed)).toHaveProperty('revokedAt', revokedAt);
    chain.unreachable = false;
    await service.endsByRule();
  },
);

test.each(routes)(
  'row 42: an attestation revoked before it is final is confirmed and revoked: its reveal is on the chain: %j',
  async (route) => {
    const service = await serve({ ...route, confirmations: 5 });
    const { world } = service;
    const { attestation } = await service.post(alice, text);
    await service.until(async () => (await world.row(attestation)).revealPhase === 'mined');
    await world.chain.revokeAttestation(alice.authorityAddress, 1);
    const revokedAt = new Date(world.chain.newest.timestamp * 1000).toISOString();
    // Until the revocation is final as well: Confirm is the first to see both.
    world.chain.unreachable = true;
    await service.pass(20);
    world.chain.unreachable = false;
    await service.endsByRule();
    expect(await world.row(attestation)).toMatchObject({ status: 'confirmed', error: null, revokedAt });
  },
);

test('row 42: content that its authority attested and revoked alone is refused while none is stored', async () => {
  const service = await serve();
  const { chain } = service.world;
  const confirmed = await postConfirmed(service, 'another');
  await chain.attest(alice.authorityAddress, contentDigest(parseContent(text)));
  await revoke(service, { ...confirmed, attestationIndex: 2 });
  await expect(service.post(alice, text)).rejects.toThrow(ContentRevokedError);
  await service.endsByRule();
});

test('row 42: a link of a revoked attestation is made, and says that it is revoked', async () => {
  const service = await serve();
  const parent = await postConfirmed(service);
  const child = await postConfirmed(service, 'the corrected article');
  const revokedAt = await revoke(service, parent);
  const { attestation, queued } = await linkChild(service.services, parent, child.id);
  expect(queued).toBe(true);
  expect(attestation).toMatchObject({ revokedAt, childAttestationId: child.id, childLinkTxHash: null });
  await service.endsByRule();
  expect(await service.world.row(parent)).toMatchObject({ revokedAt, linkPhase: 'final' });
});

test('row 42: a provider behind the revocation does not take it back', async () => {
  const service = await serve();
  const { chain } = service.world;
  const confirmed = await postConfirmed(service);
  const revokedAt = await revoke(service, confirmed);
  await postAgain(service, confirmed);
  chain.lagBlocks = chain.settings.confirmations + 1;
  expect(await postAgain(service, confirmed)).toHaveProperty('revokedAt', revokedAt);
  // So far behind that it does not know the attestation either.
  chain.lagBlocks = chain.newest.number;
  expect(await postAgain(service, confirmed)).toEqual({ ...confirmed, revokedAt });
  chain.lagBlocks = 0;
  await service.endsByRule();
});

test('row 42: a revocation that a reorganisation takes back is not shown any more', async () => {
  const service = await serve({ confirmations: 2 });
  const { chain } = service.world;
  const confirmed = await postConfirmed(service);
  await service.world.mine(2);
  const before = chain.newest.number;
  await revoke(service, confirmed);
  expect(await postAgain(service, confirmed)).toHaveProperty('revokedAt');
  await chain.reorganise(chain.newest.number - before, { drop: true });
  await service.world.mine();
  expect(await postAgain(service, confirmed)).toEqual(confirmed);
  await service.endsByRule();
});
