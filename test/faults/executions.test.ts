import { expect, test } from 'vitest';
import { serve } from '../fakes/real/served.ts';
import { alice } from '../fakes/world/world.ts';

const attempts = 3;
const twoSweepsSeconds = 120;

test.each([
  ['refused', false],
  ['throttled', false],
  ['answer lost', true],
] as const)('row 02: an execution with a faulty start runs within two sweeps: %s', async (kind, starts) => {
  const service = await serve();
  const { world, machines } = service;
  world.aws.inject({ kind, command: 'StartExecution', times: attempts });
  const { attestation, accepted } = await service.post(alice, 'An article.');
  const isStarted = () => machines.executions.has(`${attestation.id}-1`);
  expect([accepted, isStarted()]).toEqual([true, starts]);
  await service.until(isStarted, twoSweepsSeconds);
  await service.finishAndCheck();
  expect(await world.row(attestation)).toMatchObject({ status: 'confirmed', run: 1 });
});

const taskTimeoutSeconds = 60;

/** The lane answers a commit when it is mined and again when it is final, and a reveal when it is final. */
const answers = { commit: { nth: 1, times: 2 * attempts }, reveal: { nth: 3, times: attempts } };

test.each([
  ['commit', 'refused'],
  ['commit', 'answer lost'],
  ['reveal', 'throttled'],
] as const)(
  'row 06: the state that waits for a %s continues after a fault of its answer: %s',
  async (step, kind) => {
    const service = await serve({ taskTimeoutSeconds });
    const { world } = service;
    const { attestation } = await service.post(alice, 'An article.');
    world.aws.inject({ kind, command: 'SendTaskSuccess', ...answers[step] });
    expect(await service.untilTerminal(attestation)).toBe(true);
    const seconds = (world.clock.now().getTime() - Date.parse(attestation.createdAt)) / 1000;
    // A lost response to an answer costs no timeout.
    expect(seconds > taskTimeoutSeconds).toBe(kind !== 'answer lost');
    await service.finishAndCheck();
    expect(await world.row(attestation)).toMatchObject({ status: 'confirmed', run: 1 });
  },
);
