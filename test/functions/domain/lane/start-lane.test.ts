import { expect, test } from 'vitest';
import { startRun } from '../../../../functions/domain/lane/start-lane.ts';
import { makeWorld } from '../../../fakes/world/world.ts';

test('a restored lane starts beyond thousands of closed runs with few calls', async () => {
  const { services, executions, lane } = makeWorld();
  for (let run = 1; run <= 5_000; run++) executions.closed.add(`${lane}-${run}`);
  let calls = 0;
  const counted = {
    ...executions,
    startLane: (one: { lane: string; run: number }) => {
      calls++;
      return executions.startLane(one);
    },
    startAttest: (one: { id: string; run: number }) => executions.startAttest(one),
    succeed: executions.succeed,
    fail: executions.fail,
  };
  await startRun({ ...services, executions: counted }, lane, 100);
  expect(executions.started).toHaveLength(1);
  expect(Number(executions.started[0]?.split('-').at(-1))).toBeGreaterThan(5_000);
  expect(calls).toBeLessThan(20);
});

test('the next run follows a closed one', async () => {
  const { services, executions, lane } = makeWorld();
  executions.closed.add(`${lane}-7`);
  await startRun(services, lane, 7);
  expect(executions.started).toEqual([`${lane}-8`]);
});
