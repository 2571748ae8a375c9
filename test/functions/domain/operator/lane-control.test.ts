import { describe, expect, test } from 'vitest';
import { changeState } from '../../../../functions/domain/lane/lane-records.ts';
import { cancelTransaction } from '../../../../functions/domain/operator/cancel-transaction.ts';
import { pauseLane, resumeLane, resyncLane } from '../../../../functions/domain/operator/lane-control.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import { interrupt } from '../../../fakes/ports/port-overrides.ts';
import {
  mineAndTick,
  startCommit,
  stateOf,
  tick,
  unsettledTransactions,
} from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

/** Services in which somebody else changes the lane before each of the first `times` writes. */
function withContention(world: World, times: number) {
  const change = async () =>
    world.records.update(changeState(await stateOf(world), { cappedSince: `${Math.random()}` }));
  return { ...world.services, records: interrupt<Records>(world.records, 'update', change, times) };
}

async function mineUntilFinal(world: World): Promise<void> {
  await mineAndTick(world, world.chain.settings.confirmations);
}

describe('a paused lane', () => {
  test('sends nothing, settles what was sent, and sends again when resumed', async () => {
    const world = makeWorld();
    await startCommit(world, alice, 'first');
    expect(await pauseLane(world.services, world.lane)).toMatchObject({ paused: 'paused by an operator' });
    const second = await startCommit(world, bob, 'second');
    await mineUntilFinal(world);
    expect(await unsettledTransactions(world)).toEqual([]);
    expect((await world.row(second)).commitPhase).toBe('queued');
    await resumeLane(world.services, world.lane);
    await tick(world);
    expect(await unsettledTransactions(world)).toHaveLength(1);
  });

  test('shows the last reason', async () => {
    const world = makeWorld();
    await pauseLane(world.services, world.lane);
    await pauseLane(world.services, world.lane, 'the key is under investigation');
    expect((await stateOf(world)).paused).toBe('the key is under investigation');
  });

  test('starts an execution on resume, and a second resume changes nothing', async () => {
    const world = makeWorld();
    await pauseLane(world.services, world.lane);
    const resumed = await resumeLane(world.services, world.lane);
    expect(resumed.paused).toBeUndefined();
    expect(world.executions.started).toEqual([`${world.lane}-${resumed.run}`]);
    expect(await resumeLane(world.services, world.lane)).toEqual(await stateOf(world));
  });

  test('is not resumed while the chain has more transactions of the key than the lane', async () => {
    const world = makeWorld();
    await pauseLane(world.services, world.lane);
    world.chain.spendNonce(world.signer.address);
    world.mine();
    await expect(resumeLane(world.services, world.lane)).rejects.toThrow('use `lane resync`');
    expect((await stateOf(world)).paused).toBeDefined();
  });

  test('is paused despite four concurrent changes of the lane, but not despite five', async () => {
    const world = makeWorld();
    await stateOf(world);
    expect(await pauseLane(withContention(world, 4), world.lane)).toMatchObject({
      paused: expect.any(String),
    });
    await expect(pauseLane(withContention(world, 5), world.lane, 'again')).rejects.toThrow(
      'others are changing lane',
    );
  });
});

describe('a resync', () => {
  test('continues after foreign transactions once the last one is final', async () => {
    const world = makeWorld();
    await startCommit(world, alice, 'first');
    await mineUntilFinal(world);
    world.chain.spendNonce(world.signer.address);
    await mineAndTick(world);
    await tick(world);
    await expect(resyncLane(world.services, world.lane)).rejects.toThrow(
      'nonce 1 of the key is not final yet',
    );
    world.mine(world.chain.settings.confirmations);
    const resynced = await resyncLane(world.services, world.lane);
    expect(resynced).toMatchObject({ nextNonce: 2, minedNonce: 2, finalNonce: 2 });
    expect(resynced.paused).toBeUndefined();
    await startCommit(world, bob, 'second');
    expect((await unsettledTransactions(world)).map(({ nonce }) => nonce)).toEqual([2]);
  });

  test('is refused until the transactions of the lane are final', async () => {
    const world = makeWorld();
    await startCommit(world, alice, 'first');
    await expect(resyncLane(world.services, world.lane)).rejects.toThrow('transaction 0 is not final yet');
    await startCommit(world, alice, 'second');
    await expect(resyncLane(world.services, world.lane)).rejects.toThrow(
      'transactions 0 to 1 are not final yet',
    );
  });

  test('ends a pause if lane and chain agree, and changes nothing else', async () => {
    const world = makeWorld();
    await pauseLane(world.services, world.lane);
    const resynced = await resyncLane(world.services, world.lane);
    expect(resynced.paused).toBeUndefined();
    expect(await resyncLane(world.services, world.lane)).toEqual(resynced);
  });

  test('is refused if the chain shows fewer transactions than the lane has final', async () => {
    const world = makeWorld();
    const state = await stateOf(world);
    const ahead = { nextNonce: 5, minedNonce: 5, finalNonce: 5 };
    await world.records.update(changeState(state, ahead));
    await expect(resyncLane(world.services, world.lane)).rejects.toThrow('counts all below 5 as final');
  });
});

describe('a cancellation', () => {
  test('applies to the lowest pending transaction, and further attempts only cancel', async () => {
    const world = makeWorld();
    await startCommit(world, alice, 'first');
    await startCommit(world, bob, 'second');
    expect(await cancelTransaction(world.services, world.lane)).toMatchObject({ nonce: 0, canceling: true });
    await tick(world);
    const [first, second] = await unsettledTransactions(world);
    expect(first?.attempts.at(-1)).toMatchObject({ cancels: true });
    expect(second?.canceling).toBeUndefined();
  });

  test('applies to the named transaction, and a second request changes nothing', async () => {
    const world = makeWorld();
    await startCommit(world, alice, 'first');
    await startCommit(world, bob, 'second');
    const requested = await cancelTransaction(world.services, world.lane, 1);
    expect(requested).toMatchObject({ nonce: 1, canceling: true });
    expect(await cancelTransaction(world.services, world.lane, 1)).toEqual(requested);
    expect(world.executions.started).toContain(`${world.lane}-1`);
  });

  test('is refused if there is nothing to cancel', async () => {
    const world = makeWorld();
    await expect(cancelTransaction(world.services, world.lane)).rejects.toThrow('no pending transaction');
    await startCommit(world, alice, 'first');
    await expect(cancelTransaction(world.services, world.lane, 7)).rejects.toThrow('no transaction 7');
    await mineAndTick(world);
    await expect(cancelTransaction(world.services, world.lane, 0)).rejects.toThrow('not pending any more');
    await expect(cancelTransaction(world.services, world.lane)).rejects.toThrow('no pending transaction');
  });
});
