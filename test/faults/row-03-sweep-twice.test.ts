import { expect, test } from 'vitest';
import type { AttestationKey } from '../../functions/domain/attestation/attestation.ts';
import { sweep } from '../../functions/domain/steps/sweep.ts';
import { interleave } from '../fakes/ports/interleave.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { rowsOf } from './world/rule.ts';
import { laneOf, type Served, serve } from './world/served.ts';

/** Longer than whoever works on an attestation keeps the sweep away. */
const dueSeconds = 601;

/** The runs of an attestation's execution, or of a lane's, that were ever started. */
function runsOf({ machines }: Served, prefix: string): number[] {
  const names = [...machines.executions.keys()].filter((name) => name.startsWith(`${prefix}-`));
  return names.map((name) => Number(name.slice(prefix.length + 1)));
}

/** An attestation that waits for its commit to be mined, its execution and the lane's running. */
async function committing(service: Served, text: string): Promise<AttestationKey> {
  const { attestation } = await service.post(alice, text);
  await service.until(async () => {
    const isBound = await laneOf(service.world).then(
      ({ nextNonce, minedNonce }) => nextNonce > minedNonce,
      () => false,
    );
    return isBound && runsOf(service, service.world.lane).length > 0;
  });
  return attestation;
}

/** As an operator does, or a deployment that goes wrong: both names are burnt, and nobody else takes it up. */
async function abortAll({ machines, world }: Served, { id }: AttestationKey): Promise<void> {
  machines.abort(`${id}-1`);
  machines.abort(`${world.lane}-${(await laneOf(world)).run}`);
  world.clock.advance(dueSeconds);
}

test('row 03: two sweeps at once start what was never started, each execution once', async () => {
  const service = await serve();
  const { world, services } = service;
  for (let seed = 0; seed < 6; seed++) {
    world.aws.inject({ kind: 'refused', command: 'StartExecution', times: 3 });
    await service.post(seed % 2 ? alice : bob, `article ${seed}`);
    world.clock.advance(61);
    await interleave(services, seed, [sweep, sweep]);
    for (const { id } of await rowsOf(world)) expect(runsOf(service, id), `seed ${seed}`).toEqual([1]);
  }
  await service.endsByRule();
});

test('row 03: two sweeps at once raise the run of what was aborted once', async () => {
  const service = await serve({ forwarder: true });
  const { world, services } = service;
  for (let seed = 0; seed < 6; seed++) {
    const attestation = await committing(service, `article ${seed}`);
    const { run } = await laneOf(world);
    await abortAll(service, attestation);
    await interleave(services, seed, [sweep, sweep]);
    expect(runsOf(service, attestation.id), `seed ${seed}`).toEqual([1, 2]);
    // The first tick of the run that was started records it.
    expect(runsOf(service, world.lane), `seed ${seed}`).toContain(run + 1);
    expect(runsOf(service, world.lane), `seed ${seed}`).not.toContain(run + 2);
    await service.endsByRule();
    expect(await world.row(attestation)).toMatchObject({ status: 'confirmed', run: 2 });
    expect(runsOf(service, attestation.id), `seed ${seed}`).toEqual([1, 2]);
  }
});

test.each([
  ['is missed', { kind: 'killed before' }, 1],
  ['ends between raising a run and starting it', { kind: 'killed after', command: 'UpdateItem' }, 2],
] as const)('row 03: a sweep that %s is made up for by the next', async (_, fault, run) => {
  const service = await serve();
  const { world, services } = service;
  const attestation = await committing(service, 'An article.');
  await abortAll(service, attestation);
  world.aws.inject('command' in fault ? { ...fault, about: attestation.id } : fault);
  await expect(service.process(sweep)).rejects.toThrow();
  expect([(await world.row(attestation)).run, runsOf(service, attestation.id)]).toEqual([run, [1]]);
  await world.processes.run(() => sweep(services));
  expect(runsOf(service, attestation.id)).toEqual([1, 2]);
  await service.endsByRule();
  expect(await world.row(attestation)).toMatchObject({ status: 'confirmed', run: 2 });
});
