import { expect, test } from 'vitest';
import type { AwsFaultKind } from '../fakes/aws/aws-faults.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { serve } from './world/served.ts';

/** All attempts of the SDK. */
const times = 3;
const twoSweepsSeconds = 120;

/** Whether what is to start does, by itself, at its first request. */
const kinds: readonly (readonly [AwsFaultKind, boolean])[] = [
  ['refused', false],
  ['throttled', false],
  ['answer lost', true],
];

test('row 02: an attestation whose execution’s start fails, is throttled or succeeds unheard runs within two sweeps', async () => {
  const service = await serve();
  const { world, machines } = service;
  for (const [kind, starts] of kinds) {
    world.aws.inject({ kind, command: 'StartExecution', times });
    const { attestation, accepted } = await service.post(alice, `${kind} article`);
    const isStarted = () => machines.executions.has(`${attestation.id}-1`);
    expect([accepted, isStarted()], kind).toEqual([true, starts]);
    await service.until(isStarted, twoSweepsSeconds);
    await service.endsByRule();
    expect(await world.row(attestation)).toMatchObject({ status: 'confirmed', run: 1 });
  }
});

test('row 02: a lane whose execution’s start fails, is throttled or succeeds unheard runs within two sweeps', async () => {
  const service = await serve({ forwarder: true });
  const { world, machines, queue } = service;
  const isRunning = () =>
    [...machines.executions].some(
      ([name, { status }]) => name.startsWith(world.lane) && status === 'RUNNING',
    );
  for (const [kind, starts] of kinds) {
    const { attestation } = await service.post(bob, `${kind} article`);
    const requests = world.aws.calls.length;
    world.aws.inject({ kind, command: 'StartExecution', times });
    // The Commit state's own time: it queues, sends and starts the lane.
    await queue.until(async () => world.aws.calls.slice(requests).includes('StartExecution'), 1);
    expect([(await world.row(attestation)).commitPhase, isRunning()], kind).toEqual(['queued', starts]);
    await service.until(isRunning, twoSweepsSeconds);
    await service.endsByRule();
    expect(await world.row(attestation)).toMatchObject({ status: 'confirmed', run: 1 });
  }
});
