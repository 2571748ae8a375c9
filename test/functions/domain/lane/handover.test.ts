import { expect, test } from 'vitest';
import { laneStateRecord } from '../../../../functions/domain/lane/lane-records.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { committing, mineAndTick, stateOf } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../../fakes/world/world.ts';

/** A lane that a version opened whose executions call it alone, with a commit in flight and its execution running. */
async function upgraded() {
  const world = makeWorld({ batches: true });
  await committing(world, alice);
  const before = await stateOf(world);
  await world.records.update({ key: laneStateRecord(world.lane), set: { callsLatest: undefined } });
  return { world, before };
}

const endOfRun = { done: true, waitSeconds: 0 };

test('the execution of such a version ends as soon as a later one looks at its lane', async () => {
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

test('two runs of a lane at once, one of them handing over, bind, settle and end nothing twice', async () => {
  for (let seed = 0; seed < 60; seed++) {
    const world = makeWorld();
    await committing(world, alice);
    const { run } = await stateOf(world);
    const services = { ...world.services, laneDefinition: 'new' };
    const tickOf = (number: number, definition: string) => ({
      lane: world.lane,
      run: number,
      turn: 3,
      definition,
    });
    const late = await world.create(bob, 'late');
    world.mine(seed % 5);
    const settled = await interleave(services, seed, [
      (given) => advance(given, tickOf(run, 'old')),
      (given) => advance(given, tickOf(run + 1, 'new')),
      (given) => commitStep(given, { ...late.attestation, taskToken: 'late' }),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'));
    // What is owed is in the hands of the run that the record names, or of one that takes over from it.
    await sweep(services);
    const { run: last } = await stateOf(world);
    const newest = [last, last + 1].map((number) => `${world.lane}-${number}`);
    if (await world.owes()) expect(newest.some((name) => world.executions.started.includes(name))).toBe(true);
    await mineAndTick(world, 5);
    expect(minedCalls(world)).toEqual(['commit', 'commit']);
    expect(await world.owes()).toBe(false);
  }
});
