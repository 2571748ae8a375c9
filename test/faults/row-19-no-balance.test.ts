import { expect, test } from 'vitest';
import { plenty } from '../fakes/real/real-chain-start.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf, routes, serve } from './world/served.ts';

test.each(routes)(
  'row 19: with an empty account nothing is bound and an alarm says so; refilled, all goes on: %j',
  async (route) => {
    const { world, post, until, pass, endsByRule } = await serve({ ...route, blockTimeSeconds: 4 });
    const { chain, signer, log } = world;
    const { attestation: sent } = await post(alice, 'first');
    await until(() => chain.mempool.nonces().length === 1);
    await chain.setBalance(signer.address, 0n);
    const { attestation: waiting } = await post(bob, 'second');
    await pass(30);
    expect(await laneOf(world)).toMatchObject({ nextNonce: 1, minedNonce: 0 });
    expect((await world.row(waiting)).commitPhase).toBe('queued');
    expect(log.messages('error')).toContain('lane short of means');
    expect(await chain.receipts()).toEqual([]);
    await chain.setBalance(signer.address, plenty);
    await endsByRule();
    for (const one of [sent, waiting]) expect((await world.row(one)).status).toBe('confirmed');
  },
);

test('row 19: with funds for one transaction no more than one is bound', async () => {
  const { world, post, pass, endsByRule } = await serve();
  const { chain, signer } = world;
  await chain.setBalance(signer.address, 2_000_000_000_000_000n);
  await post(alice, 'first');
  await post(bob, 'second');
  await pass(1);
  expect((await laneOf(world)).nextNonce).toBe(1);
  await chain.setBalance(signer.address, plenty);
  await endsByRule();
});
