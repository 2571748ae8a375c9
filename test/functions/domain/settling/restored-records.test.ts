import { expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { laneStateRecord } from '../../../../functions/domain/lane/lane-records.ts';
import { pauseLane, resumeLane, resyncLane } from '../../../../functions/domain/operator/lane-control.ts';
import { confirmStep } from '../../../../functions/domain/steps/confirm.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import { mineAndTick, reveal, startCommit, stateOf, tick } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

/** Completes an attestation, and restores the records from when its commit was queued. */
async function completeAndRestore(world: World): Promise<Attestation> {
  const { services, lane, records, chain } = world;
  await pauseLane(services, lane);
  const row = await startCommit(world, alice);
  const backup = records.all();
  await resumeLane(services, lane);
  await tick(world);
  await mineAndTick(world, chain.settings.confirmations + chain.settings.revealDelaySeconds / 2);
  await reveal(world, row);
  await mineAndTick(world, chain.settings.confirmations);
  expect(minedCalls(world)).toEqual(['commit', 'reveal']);
  records.restore(backup);
  return row;
}

test.each([{ forwarder: false }, { forwarder: true }])(
  'a resync ends queued operations that transactions unknown to the lane completed: %o',
  async (mode) => {
    const world = makeWorld(mode);
    const row = await completeAndRestore(world);
    await tick(world);
    expect(await world.row(row)).toMatchObject({ commitPhase: 'queued' });
    await resyncLane(world.services, world.lane);
    await mineAndTick(world, 5);
    expect(await world.row(row)).toMatchObject({ commitPhase: 'unneeded' });
    await confirmStep(world.services, row);
    expect(await world.row(row)).toMatchObject({ status: 'confirmed', attestationIndex: 1 });
    expect(minedCalls(world)).toEqual(['commit', 'reveal']);
    expect(await world.owes()).toBe(false);
  },
);

test.each([{ forwarder: false }, { forwarder: true }])(
  'an operation is not repeated if the transaction of its nonce was already mined: %o',
  async (mode) => {
    const world = makeWorld(mode);
    const row = await completeAndRestore(world);
    await world.records.update({ key: laneStateRecord(world.lane), set: { paused: undefined } });
    await dispatchQueue(world.services, world.queue);
    await mineAndTick(world, 3);
    expect(await stateOf(world)).toMatchObject({ finalNonce: 1, paused: expect.any(String) });
    expect(await world.row(row)).toMatchObject({ commitPhase: 'unneeded' });
    expect(minedCalls(world)).toEqual(['commit', 'reveal']);
    expect(await world.owes()).toBe(false);
  },
);

test.each([{ forwarder: false }, { forwarder: true }])(
  'a batch whose commit is on the chain but unknown to the lane is committed again in parts: %o',
  async (mode) => {
    const world = makeWorld({ batches: true, ...mode });
    const { services, lane, records } = world;
    await pauseLane(services, lane);
    const rows = [
      await startCommit(world, alice),
      await startCommit(world, bob),
      await startCommit(world, alice, 'b'),
    ];
    const backup = records.all();
    await resumeLane(services, lane);
    await mineAndTick(world, 4);
    expect(minedCalls(world)).toEqual(['commit']);
    records.restore(backup);
    await tick(world);
    await resyncLane(services, lane);
    await mineAndTick(world, 12);
    const phases = (await Promise.all(rows.map(world.row))).map(({ commitPhase }) => commitPhase);
    expect(phases).toEqual(rows.map(() => 'final'));
  },
);
