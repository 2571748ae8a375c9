import { expect, test } from 'vitest';
import { laneStateRecord } from '../../../../functions/domain/lane/lane-records.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { committing, mineAndTick, stateOf } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../../fakes/world/world.ts';

/** A lane that a version before batches opened, with a commit in flight and its execution running. */
async function upgraded() {
  const world = makeWorld({ batches: true });
  await committing(world, alice);
  const before = await stateOf(world);
  await world.records.update({ key: laneStateRecord(world.lane), set: { knowsBatches: undefined } });
  return { world, before };
}

const endOfRun = { done: true, waitSeconds: 0 };

test('the execution of a version before batches ends before anything of a batch is in its lane', async () => {
  const { world, before } = await upgraded();
  await committing(world, bob, 'Another.');
  const { run } = await stateOf(world);
  expect(run).toBe(before.run + 1);
  world.mine();
  const tick = { lane: world.lane, run: before.run, turn: 7 };
  expect(await advance(world.services, tick)).toMatchObject(endOfRun);
  // It looked at nothing, and its successor does.
  expect((await stateOf(world)).minedNonce).toBe(before.minedNonce);
  await mineAndTick(world, world.chain.settings.confirmations);
  expect((await stateOf(world)).minedNonce).toBe(before.nextNonce + 1);
});

test('a sweep starts the successor of an execution that was ended so, once', async () => {
  const { world, before } = await upgraded();
  await sweep(world.services);
  await sweep(world.services);
  expect((await stateOf(world)).run).toBe(before.run + 1);
  expect(world.executions.started).toContain(`${world.lane}-${before.run + 1}`);
});
