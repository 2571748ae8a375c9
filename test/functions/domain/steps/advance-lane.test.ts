import { describe, expect, test } from 'vitest';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { waitingQueues } from '../../../../functions/domain/lane/queue-records.ts';
import { tryStartLaneOf } from '../../../../functions/domain/lane/start-lane.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { minedCalls, watchSends } from '../../../fakes/checks/outcome-checks.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { interrupt } from '../../../fakes/ports/port-overrides.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import {
  mineAndTick,
  startCommit,
  stateOf,
  tick,
  unsettledTransactions,
  waitUnmined,
  worldWithCommit,
} from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../../fakes/world/world.ts';

describe('the settlement', () => {
  test('is provisional when mined and permanent when final', async () => {
    const { world, first } = await worldWithCommit();
    await mineAndTick(world);
    const { hash: blockHash } = world.chain.newest;
    expect(await first()).toMatchObject({ state: 'mined', receipt: { blockHash } });
    expect(await stateOf(world)).toMatchObject({ nextNonce: 1, minedNonce: 1, finalNonce: 0 });
    await mineAndTick(world, 2);
    expect(await stateOf(world)).toMatchObject({ nextNonce: 1, minedNonce: 1, finalNonce: 1 });
  });

  test('takes one step if the block is final when it is first seen', async () => {
    const { world, row } = await worldWithCommit();
    world.mine(5);
    await tick(world);
    expect(await row()).toMatchObject({ status: 'committed', commitPhase: 'final' });
    expect(await stateOf(world)).toMatchObject({ minedNonce: 1, finalNonce: 1 });
  });

  test('happens once when several ticks run concurrently', async () => {
    for (let seed = 0; seed < 30; seed++) {
      const world = makeWorld();
      const rows = [await startCommit(world, alice, 'one'), await startCommit(world, bob, 'two')];
      world.mine(3);
      const { run } = await stateOf(world);
      const settled = await interleave(
        world.services,
        seed,
        [1, 2].map(() => (services) => advance(services, { lane: world.lane, run, turn: 0 })),
      );
      expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
      await tick(world);
      for (const row of rows) expect((await world.row(row)).commitPhase).toBe('final');
      expect(await world.owes()).toBe(false);
    }
  });

  test('waits while receipts are hidden, although the nonce is used', async () => {
    const { world, row, first } = await worldWithCommit();
    world.chain.hidesReceipts = true;
    await mineAndTick(world, 5);
    await waitUnmined(world, 120);
    expect((await first())?.state).toBe('pending');
    expect((await first())?.attempts).toHaveLength(1);
    expect(world.log.messages('warn')).toContain('nonce mined without receipt');
    expect((await row()).status).toBe('pending');
    expect((await stateOf(world)).paused).toBeUndefined();
    world.chain.hidesReceipts = false;
    await tick(world);
    expect((await row()).status).toBe('committed');
  });
});

describe('a temporary revert', () => {
  test('counts only when it is final, and the operation is then sent again', async () => {
    const { world, row } = await worldWithCommit();
    world.chain.revertsAll = true;
    await mineAndTick(world, 2);
    expect(await row()).toMatchObject({ status: 'pending', commitPhase: 'queued' });
    expect(await row()).not.toHaveProperty('commitTxHash');
    expect(world.chain.receipts()).toHaveLength(1);
    world.chain.revertsAll = false;
    await mineAndTick(world, 4);
    expect(await row()).toMatchObject({ status: 'committed', commitTxHash: world.chain.receipts()[1]?.hash });
    expect(world.chain.receipts().map(({ succeeded }) => succeeded)).toEqual([false, true]);
  });

  test('fails the attestation the fourth time, and its waiting state gets the failure', async () => {
    const { world, row } = await worldWithCommit();
    world.chain.revertsAll = true;
    await mineAndTick(world, 30);
    expect(await row()).toMatchObject({
      status: 'failed',
      error: '4 transactions reverted; submit the content again',
    });
    expect(world.chain.receipts()).toHaveLength(4);
    expect(world.executions.answers.at(-1)).toEqual({ token: 'commit', error: 'AttestationFailedError' });
    expect(await world.owes()).toBe(false);
  });
});

describe('sending', () => {
  test('sends one attempt of two concurrent signers, and discards the other', async () => {
    for (let seed = 0; seed < 30; seed++) {
      const world = makeWorld();
      watchSends(world);
      world.signer.failure = new Error('killed');
      await startCommit(world, alice);
      world.signer.failure = undefined;
      const { run } = await stateOf(world);
      await interleave(
        world.services,
        seed,
        [1, 2].map(() => (services) => advance(services, { lane: world.lane, run, turn: 0 })),
      );
      expect((await unsettledTransactions(world))[0]?.attempts).toHaveLength(1);
    }
  });

  test('replaces the lowest transaction if it never reached a node, and all are mined in order', async () => {
    const world = makeWorld();
    watchSends(world);
    world.chain.forgetsSent = true;
    await startCommit(world, alice, 'lowest');
    world.chain.forgetsSent = false;
    for (const text of ['a', 'b', 'c']) await startCommit(world, bob, text);
    await mineAndTick(world, 12);
    const nonces = world.chain.receipts().map(({ nonce }) => nonce);
    expect(nonces).toEqual([0, 1, 2, 3]);
    expect(await world.owes()).toBe(false);
  });
});

describe('a nonce used by another program', () => {
  test('above the lane’s own nonces pauses the lane, with an alarm', async () => {
    const { world } = await worldWithCommit();
    world.mine();
    world.chain.spendNonce(world.signer.address);
    await tick(world);
    expect((await stateOf(world)).paused).toContain('the lane only 1');
    expect(world.log.messages('error')).toContain('lane paused');
    await startCommit(world, bob);
    expect((await stateOf(world)).nextNonce).toBe(1);
    expect(await waitingQueues(world.records, [world.queue])).toEqual([world.queue]);
  });

  test('is not assumed when another process binds a nonce that is mined between two reads', async () => {
    const { world } = await worldWithCommit();
    const { attestation } = await world.create(bob, 'two');
    await queueOperation(world.services, attestation, 'commit');
    const late = interrupt<Chain>(world.chain, 'snapshot', async () => {
      await dispatchQueue(world.services, world.queue);
      world.mine();
    });
    await tick(world, { ...world.services, chain: () => late });
    expect((await stateOf(world)).paused).toBeUndefined();
    expect(world.log.messages('error')).toEqual([]);
    await mineAndTick(world, 3);
    expect(await world.owes()).toBe(false);
  });
});

describe('the lane’s execution', () => {
  test('continues with the next block while any transaction is not final', async () => {
    const { world } = await worldWithCommit();
    const next = await tick(world);
    expect(next).toEqual({ lane: world.lane, run: 1, turn: 1, done: false, waitSeconds: 2 });
    await mineAndTick(world, 2);
    expect(await stateOf(world)).toMatchObject({ finalNonce: 0 });
  });

  test('checks for a late block less and less often, but at least once per block time', async () => {
    const world = makeWorld({ blockTimeSeconds: 12 });
    await startCommit(world, alice);
    let ticks = 0;
    for (let seconds = 0; seconds < 3_600; ticks++) {
      const { waitSeconds } = await tick(world);
      expect(waitSeconds).toBeLessThanOrEqual(12);
      if (seconds < 18) expect(seconds + waitSeconds).toBeLessThanOrEqual(20);
      world.clock.advance(waitSeconds);
      seconds += waitSeconds;
    }
    // One check a second would be 3,600.
    expect(ticks).toBeLessThan(330);
  });

  test('ends when no work is left, and increments the run', async () => {
    const { world } = await worldWithCommit();
    await mineAndTick(world, 2);
    world.mine();
    expect((await tick(world)).done).toBe(true);
    expect((await stateOf(world)).run).toBe(2);
  });

  test('ends at once when another has taken over', async () => {
    const { world } = await worldWithCommit();
    await advance(world.services, { lane: world.lane, run: 7, turn: 0 });
    expect((await stateOf(world)).run).toBe(7);
    const before = world.records.all();
    const ended = await advance(world.services, { lane: world.lane, run: 6, turn: 0 });
    expect(ended).toMatchObject({ done: true });
    expect(world.records.all()).toEqual(before);
  });

  test('hands over to the next run after 500 ticks', async () => {
    const { world } = await worldWithCommit();
    const at = (turn: number) => advance(world.services, { lane: world.lane, run: 1, turn });
    expect((await at(498)).done).toBe(false);
    expect((await at(499)).done).toBe(true);
    expect((await stateOf(world)).run).toBe(2);
    expect(world.executions.started.at(-1)).toBe(`${world.lane}-2`);
  });

  test('does not end and miss an operation that is queued concurrently, in any order', async () => {
    for (let seed = 0; seed < 120; seed++) {
      const { world } = await worldWithCommit();
      await mineAndTick(world, 2);
      world.mine();
      const { attestation } = await world.create(bob, 'late');
      await interleave(world.services, seed, [
        (services) => advance(services, { lane: world.lane, run: 1, turn: 5 }),
        async (services) => {
          await queueOperation(services, attestation, 'commit');
          await tryStartLaneOf(services, world.queue);
        },
      ]);
      // The execution whose run the record names does the remaining work.
      const { run } = await stateOf(world);
      if (await world.owes()) expect(world.executions.started).toContain(`${world.lane}-${run}`);
      await mineAndTick(world, 4);
      expect(minedCalls(world)).toEqual(['commit', 'commit']);
    }
  });
});
