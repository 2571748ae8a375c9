import { expect, test } from 'vitest';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import type { Executions } from '../../../../functions/domain/services.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { failAttestation } from '../../../../functions/domain/steps/fail.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { overriding } from '../../../fakes/ports/overriding.ts';
import { committing, mineAndTick } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../../fakes/world/world.ts';

async function unstarted() {
  const world = makeWorld();
  world.executions.startFailure = new Error('throttled');
  const { attestation } = await world.create(alice, 'An article.');
  world.executions.startFailure = undefined;
  return { world, attestation };
}

test('starts what was accepted and never started, within two sweeps', async () => {
  const { world, attestation } = await unstarted();
  await sweep(world.services);
  world.clock.advance(60);
  await sweep(world.services);
  expect(world.executions.started).toEqual([`${attestation.id}-1`]);
});

test('finds an execution that runs and leaves it alone', async () => {
  const world = makeWorld();
  await world.create(alice, 'An article.');
  world.clock.advance(60);
  await sweep(world.services);
  await sweep(world.services);
  expect(world.executions.started).toHaveLength(1);
});

test('starts the next run of an execution that was aborted, and only once', async () => {
  const world = makeWorld();
  const { attestation } = await world.create(alice, 'An article.');
  world.executions.closed.add(`${attestation.id}-1`);
  world.clock.advance(60);
  await sweep(world.services);
  await sweep(world.services);
  expect(world.executions.started.slice(1)).toEqual([`${attestation.id}-2`]);
  expect((await world.row(attestation)).run).toBe(2);
});

test('twice at once, in any order, starts exactly one next run', async () => {
  for (let seed = 0; seed < 40; seed++) {
    const world = makeWorld();
    const { attestation } = await world.create(alice, 'An article.');
    world.executions.closed.add(`${attestation.id}-1`);
    world.clock.advance(60);
    await interleave(world.services, seed, [sweep, sweep]);
    expect(world.executions.started.slice(1)).toEqual([`${attestation.id}-2`]);
  }
});

test('after a missed sweep nothing is forgotten', async () => {
  const { world, attestation } = await unstarted();
  world.clock.advance(3600);
  await sweep(world.services);
  expect(world.executions.started).toEqual([`${attestation.id}-1`]);
});

test('one that cannot be restarted does not keep the others waiting', async () => {
  const { world } = await unstarted();
  world.executions.startFailure = new Error('throttled');
  const { attestation } = await world.create(bob, 'another');
  world.executions.startFailure = undefined;
  const executions = overriding<Executions>(world.executions, {
    startAttest: (input: { organizationId: string; id: string; run: number }) =>
      input.organizationId === alice.organizationId
        ? Promise.reject(new Error('throttled'))
        : world.executions.startAttest(input),
  });
  world.clock.advance(60);
  await sweep({ ...world.services, executions });
  expect(world.executions.started).toEqual([`${attestation.id}-1`]);
  expect(world.log.messages('error').at(-1)).toBe('sweep could not restart');
});

test('does not look again at what is terminal', async () => {
  const { world, attestation } = await unstarted();
  await failAttestation(world.services, attestation, 'some reason');
  const key = attestationRow(attestation);
  await world.records.update({ key, set: { sweep: 'due', checkAt: attestation.createdAt } });
  await sweep(world.services);
  expect(await world.row(attestation)).not.toHaveProperty('checkAt');
  expect(world.executions.started).toEqual([]);
});

test('starts a lane that owes something and is not running, and no other', async () => {
  const world = makeWorld();
  await sweep(world.services);
  expect(world.executions.started).toEqual([]);
  world.executions.startFailure = new Error('throttled');
  await committing(world, alice);
  world.executions.startFailure = undefined;
  await sweep(world.services);
  expect(world.executions.started).toContain(`${world.lane}-1`);
  await mineAndTick(world, 3);
  const started = world.executions.started.length;
  await sweep(world.services);
  expect(world.executions.started).toHaveLength(started);
});

test('starts a lane whose queue alone is not empty', async () => {
  const { world, attestation } = await unstarted();
  await queueOperation(world.services, attestation, 'commit');
  await sweep(world.services);
  expect(world.executions.started).toContain(`${world.lane}-1`);
});
