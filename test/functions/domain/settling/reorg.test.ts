import { describe, expect, test } from 'vitest';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { confirmStep } from '../../../../functions/domain/steps/confirm.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { checkConfirmedOnce, minedCalls, watchSends } from '../../../fakes/checks/outcome-checks.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import {
  commitOne,
  mineAndTick,
  reveal,
  startCommit,
  stateOf,
  tick,
  unsettledTransactions,
} from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../../fakes/world/world.ts';

describe.each([{ forwarder: false }, { forwarder: true }])('a reorg, %o', (mode) => {
  test('reopens the transactions that it undid, and the same bytes are mined again', async () => {
    const world = makeWorld({ ...mode, confirmations: 6 });
    watchSends(world);
    const row = await startCommit(world, alice);
    await mineAndTick(world);
    const { commitTxHash, revealAt } = await world.row(row);
    world.chain.reorganize(1, { drop: true });
    await tick(world);
    expect(await world.row(row)).toMatchObject({ status: 'committed', commitPhase: 'queued' });
    expect(await world.row(row)).not.toHaveProperty('commitTxHash');
    expect(await stateOf(world)).toMatchObject({ nextNonce: 1, minedNonce: 0 });
    expect((await unsettledTransactions(world))[0]?.attempts).toHaveLength(1);
    await mineAndTick(world);
    const after = await world.row(row);
    expect(after).toMatchObject({ commitPhase: 'mined', commitTxHash });
    expect(Date.parse(after.revealAt ?? '')).toBeGreaterThan(Date.parse(revealAt ?? ''));
  });

  test('is not assumed because a provider lags', async () => {
    const world = makeWorld({ ...mode, confirmations: 8 });
    const row = await startCommit(world, alice);
    await mineAndTick(world, 2);
    world.chain.lagBlocks = 2;
    await tick(world);
    expect(await world.row(row)).toMatchObject({ commitPhase: 'mined' });
    expect(await stateOf(world)).toMatchObject({ minedNonce: 1 });
  });

  test('deeper than finality raises an alarm, and the lane resends final transactions', async () => {
    const world = makeWorld({ ...mode, confirmations: 3 });
    const row = await commitOne(world, alice);
    await reveal(world, row);
    await mineAndTick(world, 4);
    await confirmStep(world.services, row);
    const other = await commitOne(world, bob, 'other');
    const { attestationIndex } = await world.row(row);
    expect(attestationIndex).toBe(1);
    const depth = world.chain.newest.number - 4;
    world.chain.reorganize(depth, { drop: true });
    world.executions.started.length = 0;
    await sweep(world.services);
    const { run } = await stateOf(world);
    expect(world.executions.started).toContain(`${world.lane}-${run}`);
    await tick(world);
    expect(world.log.messages('error')).toContain('reorg deeper than confirmations');
    expect(await stateOf(world)).toMatchObject({ nextNonce: 3, finalNonce: 0 });
    // Another authority attests content itself first, which shifts the index.
    world.chain.attest(bob.authorityAddress, `0x${'ab'.repeat(32)}`);
    await mineAndTick(world, 30);
    expect(await world.row(row)).toMatchObject({ status: 'confirmed', error: null, attestationIndex: 2 });
    expect(await world.row(other)).toMatchObject({ status: 'committed', commitPhase: 'final' });
    expect(await world.owes()).toBe(false);
  });

  test('deeper than finality changes an index, and the row gets the new one even if its first read fails', async () => {
    const world = makeWorld({ ...mode, confirmations: 3 });
    const { chain } = world;
    const row = await commitOne(world, alice);
    const before = chain.newest.number;
    await reveal(world, row);
    await mineAndTick(world, 4);
    await confirmStep(world.services, row);
    chain.reorganize(chain.newest.number - before, { drop: true });
    chain.attest(alice.authorityAddress, `0x${'ab'.repeat(32)}`);
    await tick(world);
    await mineAndTick(world, 2);
    const { atFinal } = chain;
    chain.atFinal = () => Promise.reject(new ChainUnreachableError(world.queue.chainId));
    world.mine();
    await expect(tick(world)).rejects.toThrow(ChainUnreachableError);
    chain.atFinal = atFinal;
    await tick(world);
    expect(await world.row(row)).toMatchObject({ status: 'confirmed', attestationIndex: 2 });
    expect(await world.owes()).toBe(false);
  });

  test('deeper than finality is not assumed because a provider lags', async () => {
    const world = makeWorld({ ...mode, confirmations: 2 });
    await startCommit(world, alice);
    await mineAndTick(world, 4);
    expect(await stateOf(world)).toMatchObject({ finalNonce: 1 });
    world.chain.lagBlocks = 4;
    await tick(world);
    expect(world.log.messages('error')).toEqual([]);
    expect(await stateOf(world)).toMatchObject({ finalNonce: 1 });
  });

  test('deeper than finality is noticed although all transactions are mined again, with another outcome', async () => {
    const world = makeWorld({ ...mode, confirmations: 3 });
    const row = await commitOne(world, alice);
    const before = world.chain.newest.number;
    await reveal(world, row);
    await mineAndTick(world, 4);
    await confirmStep(world.services, row);
    await tick(world);
    expect(await stateOf(world)).toMatchObject({ nextNonce: 2, finalNonce: 2 });
    // Commit and reveal are now in one block, which is too early for the reveal.
    world.chain.reorganize(before, {});
    world.mine();
    world.executions.started.length = 0;
    await sweep(world.services);
    expect(world.executions.started).toHaveLength(1);
    await tick(world);
    expect(world.log.messages('error')).toContain('reorg deeper than confirmations');
    await mineAndTick(world, 30);
    const registryState = await world.chain.registry.registryState(row);
    expect(registryState.attestationIndex).toBe(1);
    const { timestamp } = await world.chain.atFinal((view) => view.entry(row.registryAddress, 1));
    const confirmedAt = new Date(timestamp * 1000).toISOString();
    expect(await world.row(row)).toMatchObject({ status: 'confirmed', attestationIndex: 1, confirmedAt });
    expect(minedCalls(world)).toEqual(['commit', 'reveal']);
    expect(await world.owes()).toBe(false);
  });

  test('deeper than finality refuses no reveal while its commit is undone', async () => {
    const world = makeWorld({ ...mode, confirmations: 3 });
    const row = await commitOne(world, alice);
    world.chain.reorganize(world.chain.newest.number - world.chain.settings.confirmations, { drop: true });
    world.mine(world.chain.settings.revealDelaySeconds);
    await reveal(world, row);
    // The final block could refuse the reveal before the lane has ticked.
    world.mine(world.chain.settings.confirmations);
    await dispatchQueue(world.services, world.queue);
    expect(await world.row(row)).toMatchObject({ status: 'committed', error: null, revealPhase: 'queued' });
    await mineAndTick(world, 30);
    await confirmStep(world.services, row);
    await checkConfirmedOnce(world, row);
  });
});
