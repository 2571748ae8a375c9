import { expect, test } from 'vitest';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { committing, mineAndTick, stateOf } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../../fakes/world/world.ts';

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
