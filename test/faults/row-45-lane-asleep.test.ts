import { expect, test } from 'vitest';
import { findLaneState } from '../../functions/domain/lane/lane-records.ts';
import { alice } from '../fakes/world/world.ts';
import { laneOf, routes, serve, transactionOf } from './world/served.ts';

test.each(routes)(
  'row 45: a reveal that is under-priced is replaced while the lane slept for its commit to be final: %j',
  async (route) => {
    const service = await serve({ ...route, confirmations: 40, blockTimeSeconds: 4 });
    const { world, post, until, endsByRule } = service;
    const { attestation } = await post(alice, 'An article.');
    await until(async () => (await findLaneState(world.records, world.lane))?.sleepsUntil !== undefined);
    const asleep = await laneOf(world);
    expect(asleep).toMatchObject({ nextNonce: 1, minedNonce: 1, finalNonce: 0 });
    await until(async () => (await laneOf(world)).nextNonce === 2);
    const [sent] = (await transactionOf(world, 1)).attempts;
    world.chain.minTip = ((sent?.maxPriorityFeePerGas ?? 0n) * 13n) / 10n;
    await until(async () => (await transactionOf(world, 1)).state !== 'open', 120);
    expect((await transactionOf(world, 1)).attempts.length).toBeGreaterThan(1);
    expect(world.clock.now().getTime()).toBeLessThan(Date.parse(asleep.sleepsUntil ?? ''));
    expect((await laneOf(world)).run).toBeGreaterThan(asleep.run);
    world.chain.minTip = 0n;
    await endsByRule();
    expect((await world.row(attestation)).status).toBe('confirmed');
  },
);
