import { expect, test } from 'vitest';
import type { Attestation } from '../../functions/domain/attestation/attestation.ts';
import { findPayload } from '../../functions/domain/lane/transaction-records.ts';
import type { Services } from '../../functions/domain/services.ts';
import { commitStep } from '../../functions/domain/steps/commit.ts';
import { invoke } from '../fakes/ports/faults.ts';
import { interleave } from '../fakes/ports/interleave.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { type Halt, holdProcess } from './world/held-process.ts';
import { laneOf, routes, transactionOf } from './world/served.ts';
import { beginStepwise, endsAfter, type Stepwise } from './world/stepwise.ts';

type Run = (services: Services) => Promise<unknown>;

/** Lets the last tick of a lane's run and a step that owes something new meet. */
type Meeting = (services: Services, lastTick: Run, step: Run) => Promise<unknown>;

/** A step that ends as soon as it has queued: nothing of it dispatches, or starts the lane. */
const cutShort =
  (step: Run): Run =>
  (services) =>
    invoke(services, endsAfter('records.transact'), step).catch(() => {});

/** Holds the tick at one call while the step does all that it has to do. */
const inTick =
  (halt: Halt, ends = false): Meeting =>
  async (services, lastTick, step) => {
    const process = await holdProcess(services, halt, lastTick);
    expect(process.heldAt).toBe(halt.call);
    await (ends ? cutShort(step) : step)(services);
    await process.finish();
  };

const inStep =
  (halt: Halt): Meeting =>
  async (services, lastTick, step) => {
    const process = await holdProcess(services, halt, step);
    expect(process.heldAt).toBe(halt.call);
    await lastTick(services);
    await process.finish();
  };

/** A tick updates one record: the lane's, to raise its run. */
const [raise, raised] = [{ call: 'records.update' }, { call: 'records.update', after: true }];

const meetings: Readonly<Record<string, Meeting>> = {
  'before the run is raised': inTick(raise),
  'after the run is raised': inTick(raised),
  'before the run is raised, by a step that ends there': inTick(raise, true),
  'after the run is raised, by a step that ends there': inTick(raised, true),
  'after the run has ended': inStep({ call: 'records.transact' }),
  'and is queued before the tick': inStep({ call: 'records.transact', after: true }),
  'and is sent before the tick': inStep({ call: 'executions.startLane' }),
  ...Object.fromEntries(
    [0, 1, 2, 3].map((seed) => [
      `at once, seed ${seed}`,
      (services, lastTick, step) => interleave(services, seed, [lastTick, step]),
    ]),
  ),
};

/** Runs a tick of the lane's execution that runs now; no other execution's does anything. */
async function tickOfRunning({ world, tick }: Stepwise, when: string): Promise<void> {
  const { executions, lane } = world;
  const name = `${lane}-${(await laneOf(world)).run}`;
  expect(executions.started, when).toContain(name);
  expect([...executions.closed], when).not.toContain(name);
  if ((await tick()).done) executions.closed.add(name);
}

/** Leaves a lane in which all that is bound is final as soon as the next tick has looked. */
async function almostIdle(begun: Stepwise, text: string): Promise<void> {
  const { world } = begun;
  const { attestation } = await world.create(alice, text);
  await commitStep(world.services, { ...keyOf(attestation), taskToken: text });
  await world.mine(world.chain.settings.confirmations);
}

function keyOf({ organizationId, id }: Attestation) {
  return { organizationId, id };
}

test.each(routes)('row 10: what arrives as the lane goes idle is sent without a sweep: %j', async (given) => {
  const begun = await beginStepwise(given);
  const { world, tick } = begun;
  for (const [name, meet] of Object.entries(meetings)) {
    await almostIdle(begun, `before ${name}`);
    const { attestation } = await world.create(bob, name);
    const { run, nextNonce } = await laneOf(world);
    const lastTick: Run = async (services) => {
      if ((await tick(services)).done) world.executions.closed.add(`${world.lane}-${run}`);
    };
    await meet(world.services, lastTick, (services) =>
      commitStep(services, { ...keyOf(attestation), taskToken: name }),
    );
    await tickOfRunning(begun, name);
    const { operations } = await findPayload(world.records, world.lane, nextNonce);
    expect(operations, name).toMatchObject([{ id: attestation.id, kind: 'commit' }]);
    expect((await transactionOf(world, nextNonce)).attempts, name).toHaveLength(1);
    await world.mine();
    while (await world.owes()) {
      await tickOfRunning(begun, name);
      await world.mine();
    }
  }
  await begun.endsByRule();
});
