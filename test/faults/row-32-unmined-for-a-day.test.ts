import { expect, test } from 'vitest';
import { cancelTransaction } from '../../functions/domain/operator/cancel-transaction.ts';
import { cases } from '../fakes/world/soak.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { expectAllConfirmed } from './world/all-confirmed.ts';
import { excessiveTip } from './world/excessive-tip.ts';
import { routes, type Served, serve, transactionOf } from './world/served.ts';

/** What a lane's execution does before it hands over, as functions/domain/steps/advance-lane.ts has it. */
const ticksPerRun = 500;

/** What passes for a day: the ticks of its lane are as many as in a whole one, the sweeps fewer. */
const maxBoundHours = cases(4, 24);

/** So that it is some more ticks than an execution has. */
const blockTimeSeconds = maxBoundHours * 6;

const day = maxBoundHours * 3600;

/** Ticks that each execution of the lane has had. */
function ticksOf({ machines, world }: Served): number[] {
  const executions = [...machines.executions.values()].filter(({ name }) => name.startsWith(world.lane));
  return executions.map(({ data }) => Number(data.turn));
}

function failedExecutions({ machines }: Served): string[] {
  return [...machines.executions.values()].flatMap(({ name, status }) => (status === 'FAILED' ? [name] : []));
}

test('row 32: a transaction unmined for a day is cancelled by the timer, and no execution dies of history', async () => {
  const service = await serve({ blockTimeSeconds, maxBoundHours });
  const { chain } = service.world;
  chain.minTip = excessiveTip;
  await service.post(alice, 'An article.');
  await service.pass(day - day / 16);
  expect(await transactionOf(service.world, 0)).not.toHaveProperty('cancelling');
  await service.pass(day / 8);
  const { attempts, cancelling } = await transactionOf(service.world, 0);
  expect([cancelling, attempts.at(-1)?.cancels]).toEqual([true, true]);
  expect(ticksOf(service).length).toBeGreaterThan(1);
  for (const ticks of ticksOf(service)) expect(ticks).toBeLessThan(ticksPerRun);
  expect(failedExecutions(service)).toEqual([]);
  chain.minTip = 0n;
  await service.endsByRule();
  await expectAllConfirmed(service.world, 1);
  const [cancelled, ...others] = await chain.receipts();
  expect(cancelled).toMatchObject({ nonce: 0, data: '0x', hash: attempts.at(-1)?.hash });
  expect(others.map(({ nonce }) => nonce)).toEqual([1, 2]);
});

/** Posts of two organisations, whose transactions no block takes; the lowest is then cancelled by an operator. */
async function cancelLowest(service: Served): Promise<void> {
  const { chain, lane } = service.world;
  chain.minTip = excessiveTip;
  for (const caller of [alice, bob]) await service.post(caller, 'An article.');
  await service.pass(60);
  await cancelTransaction(service.services, lane);
  await service.pass(60);
  const { attempts } = await transactionOf(service.world, 0);
  expect(attempts.map(({ cancels = false }) => cancels)).toContain(true);
}

test.each(routes)('row 32: a cancellation that is mined frees what was cancelled: %j', async (route) => {
  const service = await serve(route);
  await cancelLowest(service);
  service.world.chain.minTip = 0n;
  await service.endsByRule();
  await expectAllConfirmed(service.world, 2);
  expect((await service.world.chain.receipts())[0]?.data).toBe('0x');
});

test.each(routes)(
  'row 32: a transaction that is mined although it is cancelled has its effect: %j',
  async (route) => {
    const service = await serve(route);
    const { chain } = service.world;
    // The cancellation is forgotten by the node, which still has what it should replace.
    service.queue.after(59, () => {
      chain.forgetsSent = true;
    });
    await cancelLowest(service);
    chain.minTip = 0n;
    await service.pass(10);
    chain.forgetsSent = false;
    await service.endsByRule();
    await expectAllConfirmed(service.world, 2);
    const receipts = await chain.receipts();
    expect(receipts.map(({ data }) => data)).not.toContain('0x');
    expect((await transactionOf(service.world, 0)).cancelling).toBe(true);
  },
);
