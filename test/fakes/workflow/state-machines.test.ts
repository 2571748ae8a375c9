import { expect, test } from 'vitest';
import { FakeClock } from '../ports/fake-clock.ts';
import { EventQueue } from './event-queue.ts';
import { StateMachines } from './state-machines.ts';

const lane = { lane: 'lane', run: 1 };

/** Makes machines, described ten seconds late, on which a lane's execution that lasts so long has begun. */
async function describedLate(lastsSeconds: number) {
  const clock = new FakeClock('2026-01-01T00:00:00Z');
  const queue = new EventQueue(clock);
  const ends = clock.now().getTime() + lastsSeconds * 1000;
  const machines = new StateMachines(queue, clock.now, async () => {
    const done = clock.now().getTime() >= ends;
    return { ...lane, turn: 1, done, waitSeconds: lastsSeconds };
  });
  machines.describeLagSeconds = 10;
  await machines.startLane(lane);
  return {
    machines,
    pass: async (seconds: number) => {
      queue.after(seconds, () => {});
      await queue.until(async () => false, seconds);
    },
  };
}

test('an execution that has just begun is not described yet, and starting it again is a success', async () => {
  const { machines, pass } = await describedLate(30);
  await pass(9);
  expect(machines.describe('lane-1')).toBeUndefined();
  expect(await machines.startLane(lane)).toBe('running');
  await pass(1);
  expect(machines.describe('lane-1')).toBe('RUNNING');
});

test('an execution that began and ended just now can neither be started nor described', async () => {
  const { machines, pass } = await describedLate(0);
  await pass(1);
  expect(machines.running).toBe(0);
  await expect(machines.startLane(lane)).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
});

test('an execution that has just ended is described as running, for a while', async () => {
  const { machines, pass } = await describedLate(30);
  await pass(39);
  expect(machines.running).toBe(0);
  expect(await machines.startLane(lane)).toBe('running');
  await pass(1);
  expect(await machines.startLane(lane)).toBe('closed');
});
