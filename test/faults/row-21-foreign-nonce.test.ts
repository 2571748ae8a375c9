import { expect, test } from 'vitest';
import { resumeLane, resyncLane } from '../../functions/domain/operator/lane-control.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { checkDoneOnce, moments, restored } from './world/restored.ts';
import { laneOf, minedCount, queued, routes, serve, transactionOf } from './world/served.ts';

test.each(routes)(
  'row 21: a nonce that somebody else used pauses the lane and frees its operation once, when final: %j',
  async (route) => {
    const { world, services, post, until, pass, endsByRule } = await serve({ ...route, confirmations: 4 });
    const { chain, log, signer } = world;
    const { attestation } = await post(alice, 'An article.');
    await until(() => chain.mempool.nonces().length === 1);
    await chain.spendNonce(signer.address);
    await until(async () => (await minedCount(world)) === 1);
    const spentAt = chain.newest.number;
    await until(async () => {
      const isFree = (await queued(world)).length > 0;
      const depth = chain.newest.number - spentAt + 1;
      if (isFree) expect(depth).toBeGreaterThanOrEqual(chain.settings.confirmations);
      return isFree;
    });
    expect(await laneOf(world)).toMatchObject({
      finalNonce: 1,
      paused: "somebody else used the key's nonce 0",
    });
    await pass(30);
    expect(log.messages('error')).toEqual(
      expect.arrayContaining(['nonce used by somebody else', 'lane paused']),
    );
    expect(await queued(world)).toHaveLength(1);
    expect((await laneOf(world)).nextNonce).toBe(1);
    await resumeLane(services, world.lane);
    await endsByRule();
    expect((await world.row(attestation)).status).toBe('confirmed');
    expect((await chain.receipts()).map(({ nonce }) => nonce)).toEqual([0, 1, 2]);
  },
);

test.each(routes)(
  'row 21: a nonce that somebody else used until a reorganisation is ours again: %j',
  async (route) => {
    const { world, post, until, pass, endsByRule } = await serve({ ...route, confirmations: 6 });
    const { chain, signer } = world;
    const { attestation } = await post(alice, 'An article.');
    await until(() => chain.mempool.nonces().length === 1);
    await chain.spendNonce(signer.address);
    await until(async () => (await minedCount(world)) === 1);
    await pass(2 * chain.settings.blockTimeSeconds);
    await chain.reorganise(4, { drop: true });
    await endsByRule();
    expect(await transactionOf(world, 0)).not.toHaveProperty('lostTo');
    expect((await world.row(attestation)).status).toBe('confirmed');
    expect(world.log.messages('error')).not.toContain('lane paused');
  },
);

test('row 21: a key that somebody else used while its lane was idle is noticed, and goes on after a resync', async () => {
  const { world, services, post, until, pass, endsByRule } = await serve();
  const { chain, log, signer, lane } = world;
  await post(alice, 'first');
  await endsByRule();
  await chain.spendNonce(signer.address);
  await until(() => log.messages('error').includes('lane paused'));
  const { attestation } = await post(bob, 'second');
  await pass(30);
  expect(await queued(world)).toHaveLength(1);
  expect((await laneOf(world)).nextNonce).toBe(2);
  await expect(resumeLane(services, lane)).rejects.toThrow('use `lane resync`');
  await resyncLane(services, lane);
  await endsByRule();
  expect((await world.row(attestation)).status).toBe('confirmed');
});

/** Few blocks in the minutes until the sweep comes to what was restored. */
const sparse = { blockTimeSeconds: 10, revealDelaySeconds: 20 };

const restorations = routes.flatMap((route) => moments.map((moment) => ({ moment, route })));

test.each(restorations)(
  'row 21: tables as they were $moment pause the lane; after a resync nothing is done twice: $route',
  async ({ moment, route }) => {
    const service = await serve({ ...route, ...sparse });
    const { world, services, post, until, untilTerminal } = service;
    const attestation = await restored(service, moment);
    await until(() => world.log.messages('error').includes('lane paused'));
    const { attestation: later } = await post(bob, 'later');
    await service.pass(30);
    expect(await world.chain.receipts()).toHaveLength(2);
    await resyncLane(services, world.lane);
    for (const one of [attestation, later]) expect(await untilTerminal(one)).toBe(true);
    await checkDoneOnce(service, [attestation, later]);
    expect(await world.chain.receipts()).toHaveLength(4);
  },
);

test.each(routes)(
  'row 21: what a restored lane binds to nonces that it used before is freed when that is final, or is done: %j',
  async (route) => {
    const service = await serve({ ...route, ...sparse });
    const { world, services, post, until, untilTerminal } = service;
    const attestation = await restored(service, 'before its commit was bound');
    // Binds before anybody has looked.
    const { attestation: later } = await post(bob, 'later');
    await until(async () => (await laneOf(world)).nextNonce > 0);
    await until(async () => {
      const { finalNonce, nextNonce, paused } = await laneOf(world);
      return finalNonce === nextNonce && paused !== undefined;
    });
    await resyncLane(services, world.lane);
    for (const one of [attestation, later]) expect(await untilTerminal(one)).toBe(true);
    await checkDoneOnce(service, [attestation, later]);
    expect(world.log.messages('error')).toContain('nonce used by somebody else');
    expect(await world.chain.receipts()).toHaveLength(4);
  },
);
