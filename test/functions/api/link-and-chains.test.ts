import { expect, test, vi } from 'vitest';
import { handler as linkHandler } from '../../../functions/api/link-child.ts';
import { handler as chains } from '../../../functions/api/list-chains.ts';
import { call, world } from '../../fakes/world/api-client.ts';
import { selfAttest } from '../../fakes/world/steps.ts';
import { alice, chainId, registryAddress } from '../../fakes/world/world.ts';

vi.mock('../../../functions/adapters/compose-services.ts', () => import('../../fakes/world/composed.ts'));

const parent = await selfAttest(world, alice, 'the old article');
const { attestation: child } = await world.create(alice, 'the new article');

const link = (id: string, childAttestationId: unknown, key?: string) =>
  call(linkHandler, { id, body: { childAttestationId } }, key);

test('a link of an attestation to itself, even in capitals, and a link with a malformed parent id are refused', async () => {
  const same = { error: 'childAttestationId must differ from the attestation id' };
  expect(await link(parent.id, parent.id.toUpperCase())).toMatchObject({ status: 400, body: same });
  const missing = { error: 'attestation not found' };
  expect(await link('x', child.id)).toMatchObject({ status: 404, body: missing });
});

test.each([undefined, null, 1, 'x', ''])(
  'a child id of %j gets 400 with the name of the field',
  async (childId) => {
    const { status, body } = await link(parent.id, childId);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'invalid request', issues: [{ path: ['childAttestationId'] }] });
  },
);

test('a misspelled name is reported', async () => {
  const { body } = await call(linkHandler, { id: parent.id, body: { child_attestation_id: child.id } });
  const issues = [{ path: ['child_attestation_id'], message: 'did you mean childAttestationId?' }];
  expect(body).toStrictEqual({ error: 'invalid request', issues });
});

const { authorityAddress } = alice;
const chain = {
  ...{ chainId, name: 'Simulated', registryAddress, authorityAddress },
  delegateAddress: world.signer.address,
};

test('the chains are listed for the calling organization', async () => {
  const { status, body, headers } = await call(chains, {});
  expect(status).toBe(200);
  expect(body).toStrictEqual({ chains: [{ ...chain, delegationActive: true }] });
  expect(headers).toMatchObject({ 'Cache-Control': 'private, no-cache', 'x-request-id': expect.any(String) });
});
