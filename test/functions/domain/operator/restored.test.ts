import { expect, test } from 'vitest';
import { laneStateRecord } from '../../../../functions/domain/lane/lane-records.ts';
import { payloadRecord, transactionRecord } from '../../../../functions/domain/lane/transaction-records.ts';
import { revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { pauseLane, resumeLane, resyncLane } from '../../../../functions/domain/operator/lane-control.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import { confirmStep } from '../../../../functions/domain/steps/confirm.ts';
import { checkLanes } from '../../../fakes/checks/lane-checks.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { override } from '../../../fakes/ports/port-overrides.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import { commitOne, mineAndTick, reveal, startCommit, stateOf, tick } from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

test.each([
  { resync: true, blocks: 4 },
  { resync: false, blocks: 4 },
  { resync: false, blocks: 1 },
])(
  'a mined reveal survives a restore and a revocation of its key: $blocks blocks later, resync $resync',
  async ({ resync, blocks }) => {
    const world = makeWorld();
    const { services, lane, records } = world;
    const row = await commitOne(world, alice);
    await pauseLane(services, lane);
    await reveal(world, row);
    const backup = records.all();
    await resumeLane(services, lane);
    await tick(world);
    await mineAndTick(world, blocks);
    expect((await world.row(row)).revealPhase).toBe(blocks > 1 ? 'final' : 'mined');
    records.restore(backup);
    await revokeSigner(services, chainId, world.signer.address, { force: true });
    if (resync) {
      await resyncLane(services, lane);
      expect(await world.row(row)).toMatchObject({ revealPhase: 'unneeded' });
    }
    await tick(world);
    await mineAndTick(world, 3);
    expect(await world.row(row)).toMatchObject({ status: 'committed', revealPhase: 'unneeded' });
    await confirmStep(services, row);
    expect(await world.row(row)).toMatchObject({ status: 'confirmed', attestationIndex: 1 });
    expect(minedCalls(world)).toEqual(['commit', 'reveal']);
    expect(await world.owes()).toBe(false);
  },
);

const recordsOf = (lane: string, nonce: number) => ({
  transaction: transactionRecord(lane, nonce),
  payload: payloadRecord(lane, nonce),
});

type Part = keyof ReturnType<typeof recordsOf>;

const parts: readonly (readonly Part[])[] = [['transaction'], ['payload'], ['transaction', 'payload']];

/** Resynchronizes a lane that first has to fill nonces. @returns the result of the second resync */
async function resyncUntilDone(world: World) {
  await expect(resyncLane(world.services, world.lane)).rejects.toThrow('not final yet');
  expect((await stateOf(world)).paused).toContain('empty transfers');
  expect(world.executions.started.length).toBeGreaterThan(0);
  await mineAndTick(world, 40);
  return resyncLane(world.services, world.lane);
}

test.each(parts.map((lost) => ({ lost })))(
  'an unused nonce is filled when a restore lost its $lost, and its operation is done once',
  async ({ lost }) => {
    const world = makeWorld();
    const { services, lane, records, chain } = world;
    await stateOf(world);
    chain.forgetsSent = true;
    const rows = [await startCommit(world, alice), await startCommit(world, bob)];
    chain.forgetsSent = false;
    for (const part of lost) await records.update({ key: recordsOf(lane, 0)[part], remove: true });
    const resumed = await resyncUntilDone(world);
    expect(resumed).toMatchObject({ nextNonce: 2, finalNonce: 2 });
    expect(resumed.paused).toBeUndefined();
    await mineAndTick(world, chain.settings.confirmations + 2);
    for (const row of rows) expect((await world.row(row)).commitPhase).toBe('final');
    expect(minedCalls(world)).toEqual(['commit', 'commit']);
    expect(await world.owes()).toBe(false);
    await checkLanes(world);
    expect(await resyncLane(services, lane)).toEqual(await stateOf(world));
  },
);

test.each(parts.map((left) => ({ left })))(
  'a lane whose state is older than the $left of its next nonce stops, and continues after a resync',
  async ({ left }) => {
    const world = makeWorld();
    const { services, lane, records, chain } = world;
    await stateOf(world);
    await pauseLane(services, lane);
    const row = await startCommit(world, alice);
    const backup = records.all();
    await resumeLane(services, lane);
    chain.forgetsSent = true;
    await dispatchQueue(services, world.queue);
    chain.forgetsSent = false;
    const keys = left.map((part) => recordsOf(lane, 0)[part].sk);
    const newer = records.all().filter(({ key }) => keys.includes(key.sk));
    records.restore([...backup, ...newer]);
    await records.update({ key: laneStateRecord(lane), set: { paused: undefined } });
    let writes = 0;
    const counted = override<Records>(records, {
      transact: async (changes) => {
        writes++;
        world.clock.advance(1);
        return records.transact(changes);
      },
    });
    await dispatchQueue({ ...services, records: counted }, world.queue);
    expect([writes, (await stateOf(world)).paused]).toEqual([1, expect.stringContaining('lane resync')]);
    await tick(world);
    expect(world.log.messages('error')).toContain('lane paused');
    expect(await resyncUntilDone(world)).toMatchObject({ nextNonce: 1, finalNonce: 1 });
    await mineAndTick(world, chain.settings.confirmations + 2);
    expect((await world.row(row)).commitPhase).toBe('final');
    expect(minedCalls(world)).toEqual(['commit']);
    expect(await world.owes()).toBe(false);
    await checkLanes(world);
  },
);
