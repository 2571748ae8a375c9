import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import type { Executions } from '../../../../functions/domain/services.ts';
import { failAttestation } from '../../../../functions/domain/steps/fail.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { guarded } from '../../../fakes/ports/guarded.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { override } from '../../../fakes/ports/port-overrides.ts';
import { mineAndTick, startCommit } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

async function makeUnstarted() {
  const world = makeWorld();
  world.executions.startFailure = new Error('throttled');
  const { attestation } = await world.create(alice, 'An article.');
  world.executions.startFailure = undefined;
  return { world, attestation };
}

test('the sweep starts an accepted attestation that was never started, within two sweeps', async () => {
  const { world, attestation } = await makeUnstarted();
  await sweep(world.services);
  world.clock.advance(60);
  await sweep(world.services);
  expect(world.executions.started).toEqual([`${attestation.id}-1`]);
});

test('two sweeps, in any order, start exactly one next run of an aborted execution', async () => {
  for (let seed = 0; seed < 40; seed++) {
    const world = makeWorld();
    const { attestation } = await world.create(alice, 'An article.');
    world.executions.closed.add(`${attestation.id}-1`);
    world.clock.advance(60);
    await interleave(world.services, seed, [sweep, sweep]);
    await sweep(world.services);
    expect(world.executions.started.slice(1)).toEqual([`${attestation.id}-2`]);
    expect((await world.row(attestation)).run).toBe(2);
  }
});

test('an attestation that cannot be restarted does not delay others', async () => {
  const { world } = await makeUnstarted();
  world.executions.startFailure = new Error('throttled');
  const { attestation } = await world.create(bob, 'another');
  world.executions.startFailure = undefined;
  const executions = override<Executions>(world.executions, {
    startAttest: (input: { organizationId: string; id: string; run: number }) =>
      input.organizationId === alice.organizationId
        ? Promise.reject(new Error('throttled'))
        : world.executions.startAttest(input),
  });
  world.clock.advance(60);
  await sweep({ ...world.services, executions });
  expect(world.executions.started).toEqual([`${attestation.id}-1`]);
  expect(world.log.messages('error').at(-1)).toBe('sweep could not restart an execution');
});

test('the sweep skips terminal attestations', async () => {
  const { world, attestation } = await makeUnstarted();
  await failAttestation(world.services, attestation, 'some reason');
  const key = attestationRow(attestation);
  await world.records.update({ key, set: { sweep: 'due', checkAt: attestation.createdAt } });
  await sweep(world.services);
  expect(await world.row(attestation)).not.toHaveProperty('checkAt');
  expect(world.executions.started).toEqual([]);
});

test('the sweep starts only a lane that has work and is not running', async () => {
  const world = makeWorld();
  await sweep(world.services);
  expect(world.executions.started).toEqual([]);
  world.executions.startFailure = new Error('throttled');
  await startCommit(world, alice);
  world.executions.startFailure = undefined;
  await sweep(world.services);
  expect(world.executions.started).toContain(`${world.lane}-1`);
  await mineAndTick(world, 3);
  const started = world.executions.started.length;
  await sweep(world.services);
  expect(world.executions.started).toHaveLength(started);
});

describe('a sweep', () => {
  const done = ({ log }: World) => log.lines.filter(({ message }) => message === 'sweep done');

  test('logs at its end what it checked and what failed', async () => {
    const { world } = await makeUnstarted();
    world.clock.advance(90);
    world.chain.unreachable = true;
    await sweep(world.services);
    const fields = { attestations: 1, oldestUnfinishedSeconds: 90, parts: 3, failedParts: 1 };
    expect(done(world)).toMatchObject([{ level: 'info', fields }]);
  });

  test('fails, and does not log its end, when every part fails', async () => {
    const { world } = await makeUnstarted();
    const denied = async () => {
      throw new Error('AccessDeniedException');
    };
    const records = override<Records>(world.records, { get: denied, list: denied, due: denied });
    await expect(sweep({ ...world.services, records })).rejects.toThrow('every part of the sweep failed');
    expect(done(world)).toEqual([]);
  });
});

async function makeBacklog(count: number): Promise<World> {
  const world = makeWorld({ limits: { attestationsPerDay: 10_000, linksPerDay: 1, inFlight: 10_000 } });
  world.executions.startFailure = new Error('throttled');
  for (let number = 0; number < count; number++) await world.create(alice, `article ${number}`);
  world.executions.startFailure = undefined;
  world.clock.advance(60);
  return world;
}

describe('attestations accepted while no execution could start', () => {
  test('are started eight at a time, by one query for all and three calls for each', async () => {
    const world = await makeBacklog(400);
    const calls = new Map<string, number>();
    let running = 0;
    let most = 0;
    const counted = guarded(world.services, async (call, effect) => {
      calls.set(call, (calls.get(call) ?? 0) + 1);
      if (call !== 'executions.startAttest') return effect();
      most = Math.max(most, ++running);
      await setImmediate();
      running--;
      return effect();
    });
    await sweep(counted);
    expect(world.executions.started).toHaveLength(400);
    expect(most).toBe(8);
    expect(calls.get('records.due')).toBe(1);
    expect(calls.get('executions.startAttest')).toBe(400);
    expect(calls.get('records.update')).toBe(400);
    // These are the rows. Each of the chain's two parts also reads the chain's signers and its lane's state.
    expect(calls.get('records.get')).toBe(400 + 4);
  });

  test('are left to the next sweep after fifty seconds, and none is started twice', async () => {
    const world = await makeBacklog(400);
    const starts: string[] = [];
    const slow = guarded(world.services, async (call, effect) => {
      if (call === 'executions.startAttest') world.clock.advance(0.25);
      return effect();
    });
    const executions = override<Executions>(slow.executions, {
      startAttest: (input) => {
        starts.push(input.id);
        return slow.executions.startAttest(input);
      },
    });
    await sweep({ ...slow, executions });
    // The sweep starts one each quarter of a second for 50 s, and finishes those that it began.
    expect(world.executions.started.length).toBeGreaterThanOrEqual(200);
    expect(world.executions.started.length).toBeLessThanOrEqual(208);
    await sweep({ ...slow, executions });
    expect(world.executions.started).toHaveLength(400);
    expect(starts).toHaveLength(400);
  });
});
