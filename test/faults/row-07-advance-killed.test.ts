import { expect, test } from 'vitest';
import { findTransaction } from '../../functions/domain/lane/transaction-records.ts';
import { type FaultKind, FaultPlan, type Faults, invoke } from '../fakes/ports/faults.ts';
import type { RealWorld } from '../fakes/real/real-world.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf } from './world/served.ts';
import { beginStepwise, endsAfter, type Stepwise } from './world/stepwise.ts';

/** Receipt, nonce assignment, settlement, sign, store, send, token. */
const points = [
  'chain.snapshot',
  'records.transact',
  'signer.sign',
  'records.update',
  'chain.send',
  'executions.succeed',
];

/** More than a commit takes to be final, with one tick that comes to nothing. */
const maxTicks = 10;

const kinds: readonly FaultKind[] = ['killed before', 'killed after'];

/** A commit that waits in the queue goes all its way by ticks of the lane, some of which may be cut short. */
async function live({ world, ...begun }: Stepwise, text: string, plan: FaultPlan): Promise<void> {
  const row = await begun.committing(alice, text, endsAfter('records.transact'));
  for (let ticks = 0; (await world.row(row)).commitPhase !== 'final'; ticks++) {
    expect(ticks, text).toBeLessThan(maxTicks);
    await invoke(world.services, plan, begun.tick).catch(() => {});
    await world.mine();
  }
  const outputs = world.executions.answersTo(text).map(({ output }) => output);
  expect(outputs.length).toBeGreaterThan(0);
  const { nextNonce, finalNonce } = await laneOf(world);
  expect(finalNonce).toBe(nextNonce);
}

test('row 07: whatever call of the advancing function it ends before or after, the next run finishes it', async () => {
  const begun = await beginStepwise();
  // The first opens the lane, as no other does.
  await live(begun, 'first', new FaultPlan());
  const whole = new FaultPlan();
  await live(begun, 'whole', whole);
  expect(whole.calls).toEqual(expect.arrayContaining(points));
  for (const [at, call] of whole.calls.entries()) {
    if (!points.includes(call)) continue;
    for (const kind of kinds) {
      const plan = new FaultPlan(at, kind);
      await live(begun, `${kind} ${call} ${at}`, plan);
      expect(plan.happened).toBe(true);
    }
  }
  await begun.endsByRule();
});

/** Two more than one write holds: each operation that is freed takes two changes, and each organisation's fees one. */
const manyOperations = 49;

async function settledCount({ records, lane }: RealWorld): Promise<number | undefined> {
  return (await findTransaction(records, lane, 0))?.settledCount;
}

/** Cuts a tick short at its first write. */
async function cutShort({ world, tick }: Stepwise, kind: FaultKind): Promise<void> {
  const faults: Faults = { next: (call) => (call === 'records.transact' ? kind : undefined) };
  await expect(invoke(world.services, faults, tick)).rejects.toThrow();
}

test('row 07: a settlement of more than one write goes on where the advancing function ended', async () => {
  const begun = await beginStepwise({ forwarder: true, maxInFlight: 1 });
  const { world, tick } = begun;
  for (let n = 0; n < manyOperations; n++) {
    await begun.committing(n % 2 ? alice : bob, `article ${n}`, endsAfter('records.transact'));
  }
  await tick();
  // In the block before it, so that all of it reverts.
  await world.chain.removeOperator(world.contracts.forwarderAddress, world.signer.address);
  await world.mine(world.chain.settings.confirmations);
  expect(await settledCount(world)).toBe(0);
  for (const [kind, count] of [
    ['killed before', 0],
    ['killed after', manyOperations - 2],
    ['killed before', manyOperations - 2],
    ['killed after', 0],
  ] as const) {
    await cutShort(begun, kind);
    expect(await settledCount(world)).toBe(count);
  }
  expect((await laneOf(world)).finalNonce).toBe(1);
  await world.chain.addOperator(world.contracts.forwarderAddress, world.signer.address);
  await begun.endsByRule();
  const attempted = (await world.chain.receipts()).map(({ succeeded }) => succeeded);
  expect(attempted.filter((succeeded) => !succeeded)).toHaveLength(1);
});
