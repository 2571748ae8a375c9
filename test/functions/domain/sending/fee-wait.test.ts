import { describe, expect, test } from 'vitest';
import { activateSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { resyncLane } from '../../../../functions/domain/operator/lane-control.ts';
import { confirmStep } from '../../../../functions/domain/steps/confirm.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import {
  addKey,
  mineAndTick,
  reveal,
  startCommit,
  stateOf,
  tick,
  unsettledTransactions,
} from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

const gwei = 1_000_000_000n;
const [low, high] = [5n * gwei, 60n * gwei];

async function repeatHourly(world: World, count: number, each: () => Promise<unknown>): Promise<void> {
  for (let hour = 0; hour < count; hour++) {
    world.mine();
    world.clock.advance(3600);
    await each();
  }
}

describe('the wait for lower fees', () => {
  test('restarts after a pause with low fees', async () => {
    const world = makeWorld({ maxFeePerGasGwei: 50 });
    world.chain.baseFee = high;
    const row = await startCommit(world, alice);
    world.chain.baseFee = low;
    world.chain.spendNonce(world.signer.address);
    await mineAndTick(world);
    expect((await stateOf(world)).paused).toBeDefined();
    await repeatHourly(world, 25, () => tick(world));
    world.chain.baseFee = high;
    await resyncLane(world.services, world.lane);
    await tick(world);
    expect(await world.row(row)).toMatchObject({ status: 'pending', error: null });
  });

  test('restarts once fees were low enough to send something', async () => {
    const world = makeWorld({ maxFeePerGasGwei: 50, maxInFlight: 1, maxBoundHours: 100 });
    world.chain.baseFee = high;
    await startCommit(world, alice);
    const row = await startCommit(world, bob, 'behind it');
    world.chain.baseFee = low;
    await tick(world);
    expect(await stateOf(world)).toMatchObject({ nextNonce: 1 });
    world.chain.minTip = 100n * gwei;
    await repeatHourly(world, 25, () => tick(world));
    world.chain.minTip = 0n;
    world.mine();
    world.chain.baseFee = high;
    await tick(world);
    expect(await stateOf(world)).toMatchObject({ minedNonce: 1, cappedSince: expect.any(String) });
    expect(await world.row(row)).toMatchObject({ status: 'pending', error: null });
  });

  test('restarts with a signer that is made active again', async () => {
    const world = makeWorld({ forwarder: true, maxFeePerGasGwei: 50 });
    const second = addKey(world);
    world.chain.setBalance(second.address, 0n);
    world.chain.baseFee = high;
    const row = await startCommit(world, alice);
    world.mine(3);
    await activateSigner(world.services, chainId, second);
    world.chain.baseFee = low;
    await repeatHourly(world, 25, () => dispatchQueue(world.services, world.queue));
    world.chain.baseFee = high;
    await activateSigner(world.services, chainId, { address: world.signer.address });
    await tick(world);
    expect(await world.row(row)).toMatchObject({ status: 'pending', error: null });
  });

  test('ends in time although a newer operation is ahead in the queue', async () => {
    const world = makeWorld({ maxFeePerGasGwei: 50 });
    world.chain.baseFee = high;
    const old = await startCommit(world, bob, 'old');
    await repeatHourly(world, 23, () => tick(world));
    const fresh = await startCommit(world, alice, 'new');
    await repeatHourly(world, 2, () => tick(world));
    expect((await world.row(old)).error).toContain('gas price stayed above the cap');
    expect((await world.row(fresh)).status).toBe('pending');
  });
});

describe('while fees are above the cap', () => {
  async function makeCapped(hours?: number) {
    const world = makeWorld({ maxFeePerGasGwei: 50, ...(hours ? { maxQueuedHours: hours } : {}) });
    world.chain.baseFee = 60n * gwei;
    const row = await startCommit(world, alice);
    return { world, row };
  }

  test('nothing is bound, and sending continues when they fall', async () => {
    const { world, row } = await makeCapped();
    expect(await unsettledTransactions(world)).toEqual([]);
    expect((await world.row(row)).status).toBe('pending');
    world.chain.baseFee = 10n * gwei;
    await tick(world);
    await mineAndTick(world);
    expect((await world.row(row)).status).toBe('committed');
  });

  test('for longer than the limit, the attestation fails, and its waiting state gets the failure', async () => {
    const { world, row } = await makeCapped(24);
    world.clock.advance(24 * 3600 - 1);
    await tick(world);
    expect((await world.row(row)).status).toBe('pending');
    world.clock.advance(1);
    await tick(world);
    expect(await world.row(row)).toMatchObject({
      status: 'failed',
      error: 'gas price stayed above the cap of 50 gwei for 24 h; submit the content again',
    });
    expect(world.executions.answers).toEqual([{ token: 'commit', error: 'AttestationFailedError' }]);
    expect(await world.owes()).toBe(false);
  });

  test('for longer than the limit, a reveal waits until its commit is final', async () => {
    const world = makeWorld({ maxFeePerGasGwei: 50, confirmations: 60 });
    const row = await startCommit(world, alice);
    await mineAndTick(world, 32);
    world.chain.baseFee = 60n * gwei;
    await reveal(world, row);
    world.clock.advance(24 * 3600);
    await tick(world);
    expect(await world.row(row)).toMatchObject({ status: 'committed', revealPhase: 'queued' });
    await mineAndTick(world, 28);
    expect(await world.row(row)).toMatchObject({ status: 'failed', revealPhase: 'refused' });
  });

  test('for longer than the limit, an attestation that its authority made itself stays confirmed', async () => {
    const { world, row } = await makeCapped(24);
    world.chain.attest(alice.authorityAddress, row.digest);
    world.mine(3);
    await confirmStep(world.services, row);
    world.clock.advance(24 * 3600);
    await tick(world);
    expect(await world.row(row)).toMatchObject({ status: 'confirmed', error: null, commitPhase: 'refused' });
    expect(await world.owes()).toBe(false);
  });
});
