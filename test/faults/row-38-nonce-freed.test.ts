import { expect, test } from 'vitest';
import { resumeLane, resyncLane } from '../../functions/domain/operator/lane-control.ts';
import type { RealGiven } from '../fakes/real/real-settings.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf, minedCount, routes, serve } from './world/served.ts';

const deep = 'reorganisation deeper than confirmations';

const kinds = ['skipped by a resync', 'lost'] as const;

/** A lane whose third nonce a foreign transaction used, which was final and is taken away. */
async function freed({ route, kind }: { route: RealGiven; kind: (typeof kinds)[number] }) {
  const service = await serve({ ...route, confirmations: 3 });
  const { world, services, post, until, pass, endsByRule } = service;
  const { chain, log, signer, lane } = world;
  await post(alice, 'first');
  await endsByRule();
  expect(await minedCount(world)).toBe(2);
  if (kind === 'lost') {
    await post(bob, 'second');
    await until(() => chain.mempool.nonces().length === 1);
  }
  const height = chain.newest.number;
  await chain.spendNonce(signer.address);
  await until(async () => (await laneOf(world)).paused !== undefined);
  await pass(3 * chain.settings.blockTimeSeconds);
  const release = kind === 'lost' ? resumeLane : resyncLane;
  expect((await release(services, lane)).finalNonce).toBe(3);
  await chain.reorganise(chain.newest.number - height, { drop: true });
  expect(await minedCount(world)).toBe(2);
  expect(log.messages('error')).not.toContain(deep);
  return service;
}

const cases = routes.flatMap((route) => kinds.map((kind) => ({ route, kind })));

test.each(cases)(
  'row 38: a nonce that a deep reorganisation freed is filled, and the lane goes on: %j',
  async (given) => {
    const { world, post, until, endsByRule } = await freed(given);
    const { chain, log, signer } = world;
    await until(() => log.messages('error').includes(deep), 150);
    await post(alice, 'An article.');
    await endsByRule();
    expect((await chain.receipts())[2]).toMatchObject({ nonce: 2, data: '0x', to: signer.address });
    expect((await laneOf(world)).paused).toBeUndefined();
  },
);

test.each(cases)(
  'row 38: a nonce that is used again before it is filled is lost again: %j',
  async (given) => {
    const { world, post, until, endsByRule } = await freed(given);
    const { chain, log, signer } = world;
    // Mined at once, at whatever price the lane asks to fill the nonce.
    await until(() => log.messages('error').includes(deep), 150);
    await chain.spendNonce(signer.address);
    await post(alice, 'An article.');
    await endsByRule();
    expect((await chain.receipts())[2]).toMatchObject({ nonce: 2, foreign: true });
    expect((await laneOf(world)).paused).toBeUndefined();
  },
);
