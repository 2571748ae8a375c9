import { describe, expect, test } from 'vitest';
import { tryStartLaneOf } from '../../../../functions/domain/lane/start-lane.ts';
import { pauseLane, resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import {
  mineAndTick,
  reveal,
  startCommit,
  stateOf,
  tick,
  unsettledTransactions,
} from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../../fakes/world/world.ts';

const given = { confirmations: 60, blockTimeSeconds: 12, revealDelaySeconds: 60 };

const gwei = 1_000_000_000n;

/** Makes a lane that sleeps in its first run: its commit is mined, and final in 59 blocks. */
async function makeSleeping() {
  const world = makeWorld(given);
  const row = await startCommit(world, alice);
  world.mine();
  const next = await tick(world);
  return { world, row, next };
}

describe('a lane with every transaction mined', () => {
  test('sleeps until they can be final, and records that time', async () => {
    const { world, next } = await makeSleeping();
    expect(next).toMatchObject({ done: false, waitSeconds: 59 * 12 });
    const { sleepsUntil } = await stateOf(world);
    expect(Date.parse(sleepsUntil ?? '')).toBe(world.clock.now().getTime() + 59 * 12_000);
    world.mine(59);
    expect((await tick(world)).done).toBe(true);
    expect(await world.owes()).toBe(false);
  });

  test('checks every block while a transaction is unmined', async () => {
    const { world } = await makeSleeping();
    await startCommit(world, bob, 'another');
    expect((await advance(world.services, { lane: world.lane, run: 2, turn: 0 })).waitSeconds).toBe(12);
  });

  test('waits for the finality of a reveal, not for that of a later commit', async () => {
    const { world, row } = await makeSleeping();
    world.mine(6);
    await reveal(world, row);
    await mineAndTick(world);
    const { number: revealedAt } = world.chain.newest;
    await startCommit(world, bob, 'another');
    await mineAndTick(world, 4);
    const { waitSeconds } = await tick(world);
    expect(waitSeconds).toBe((revealedAt + 59 - world.chain.newest.number) * 12);
  });
});

describe('a sleeping lane', () => {
  test('is woken by a new transaction: an under-priced reveal is replaced while the commit awaits finality', async () => {
    const { world, row } = await makeSleeping();
    world.mine(6);
    await reveal(world, row);
    expect(world.executions.started.at(-1)).toBe(`${world.lane}-2`);
    world.chain.minTip = 1000n * gwei;
    const at = () => advance(world.services, { lane: world.lane, run: 2, turn: 0 });
    expect(await at()).toMatchObject({ done: false, waitSeconds: 12 });
    expect(await stateOf(world)).toMatchObject({ run: 2 });
    expect((await stateOf(world)).sleepsUntil).toBeUndefined();
    world.mine(3);
    await at();
    const [commit, revealed] = await unsettledTransactions(world);
    expect(commit?.state).toBe('mined');
    expect(revealed?.attempts).toHaveLength(2);
  });

  test('is not restarted by the sweep, which finds its execution running', async () => {
    const { world } = await makeSleeping();
    await sweep(world.services);
    expect(world.executions.started.filter((name) => name.startsWith(world.lane))).toEqual([
      `${world.lane}-1`,
    ]);
  });

  test('is started again by the sweep after its execution was aborted', async () => {
    const { world } = await makeSleeping();
    world.executions.closed.add(`${world.lane}-1`);
    await sweep(world.services);
    expect(world.executions.started).toContain(`${world.lane}-2`);
  });

  test('is woken by the sweep when the sender died before it woke the lane', async () => {
    const { world, row } = await makeSleeping();
    world.mine(6);
    world.executions.startFailure = new Error('throttled');
    await reveal(world, row);
    world.executions.startFailure = undefined;
    expect(world.executions.started).not.toContain(`${world.lane}-2`);
    await sweep(world.services);
    expect(world.executions.started).toContain(`${world.lane}-2`);
  });

  test('does not miss an operation that is queued as it falls asleep, in any order', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const world = makeWorld(given);
      await startCommit(world, alice);
      world.mine();
      const { attestation } = await world.create(bob, 'late');
      const [ticked] = await interleave(world.services, seed, [
        (services) => advance(services, { lane: world.lane, run: 1, turn: 0 }),
        async (services) => {
          await queueOperation(services, attestation, 'commit');
          await tryStartLaneOf(services, world.queue);
        },
      ]);
      const { waitSeconds } = (ticked as PromiseFulfilledResult<{ waitSeconds: number }>).value;
      const isAwake = waitSeconds <= 12 || world.executions.started.includes(`${world.lane}-2`);
      expect(isAwake, `seed ${seed}`).toBe(true);
    }
  });
});

test.each([
  [60, 2],
  [1, 12],
  [12, 12],
])(
  'an attestation with %i confirmations and %i s blocks takes at most 25 transitions',
  async (confirmations, blockTimeSeconds) => {
    const service = runService(undefined, { confirmations, blockTimeSeconds, revealDelaySeconds: 60 });
    const { attestation } = await service.post(alice, 'An article.');
    expect(await service.untilIdle()).toBe(true);
    expect((await service.world.row(attestation)).status).toBe('confirmed');
    expect(await service.queue.until(async () => service.machines.running === 0, 3600)).toBe(true);
    expect(service.machines.transitions).toBeLessThanOrEqual(25);
  },
);

test('a lane sleeps through a reveal delay longer than any postponement', async () => {
  const world = makeWorld({ batches: true, revealDelaySeconds: 1200 });
  await pauseLane(world.services, world.lane);
  const row = await startCommit(world, alice, 'one');
  await startCommit(world, alice, 'two');
  await resumeLane(world.services, world.lane);
  await mineAndTick(world, 5);
  const { revealAt = '' } = await world.row(row);
  const due = (Date.parse(revealAt) - world.clock.now().getTime()) / 1000;
  expect((await tick(world)).waitSeconds).toBeGreaterThan(due - 10);
});
