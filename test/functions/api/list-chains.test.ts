import { expect, test, vi } from 'vitest';
import { handler } from '../../../functions/api/list-chains.ts';
import { bobKey, call, world } from '../../fakes/world/api-client.ts';
import { alice, bob, chainId, registryAddress } from '../../fakes/world/world.ts';

vi.mock('../../../functions/adapters/compose-services.ts', () => import('../../fakes/world/composed.ts'));

const { authorityAddress } = alice;
const chain = {
  ...{ chainId, name: 'Simulated', registryAddress, authorityAddress },
  delegateAddress: world.signer.address,
};

test('lists the chains for the organisation that asks, and nothing else of them', async () => {
  const { status, body, headers } = await call(handler, {});
  expect(status).toBe(200);
  expect(body).toStrictEqual({ chains: [{ ...chain, delegationActive: true }] });
  expect(headers).toMatchObject({ 'Cache-Control': 'private, no-cache', 'x-request-id': expect.any(String) });
  world.chain.revokeDelegation(bob.authorityAddress);
  expect((await call(handler, {}, bobKey)).body).toStrictEqual({
    chains: [{ ...chain, authorityAddress: bob.authorityAddress, delegationActive: false }],
  });
});

test('has a 200 for a chain that cannot be reached', async () => {
  world.chain.unreachable = true;
  const { status, body } = await call(handler, {});
  world.chain.unreachable = false;
  expect(status).toBe(200);
  expect(body).toStrictEqual({ chains: [{ ...chain, delegationActive: null }] });
});

test('has a 401 without a key', async () => {
  expect((await call(handler, {}, '')).status).toBe(401);
});
