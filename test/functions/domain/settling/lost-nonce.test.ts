import { describe, expect, test } from 'vitest';
import { listOperations } from '../../../../functions/domain/lane/queue-records.ts';
import { findTransaction } from '../../../../functions/domain/lane/transaction-records.ts';
import { revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import {
  enqueue as commits,
  mineAndTick,
  selfAttest,
  startCommit,
  stateOf,
  tick,
  unsettledTransactions,
} from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

describe('a lane’s nonce used by another program', () => {
  test('frees its operations once that use is final, pauses the lane and raises an alarm', async () => {
    const world = makeWorld({ confirmations: 4 });
    const row = await startCommit(world, alice);
    world.chain.mempool.drop(0);
    world.chain.spendNonce(world.signer.address);
    await tick(world);
    expect((await unsettledTransactions(world))[0]?.state).toBe('pending');
    expect((await stateOf(world)).paused).toBeUndefined();
    await mineAndTick(world, 3);
    expect(await stateOf(world)).toMatchObject({ nextNonce: 1, minedNonce: 1, finalNonce: 1 });
    expect((await stateOf(world)).paused).toContain('nonce 0');
    expect(world.log.messages('error')).toContain('nonce used by another program');
    await tick(world);
    expect(world.log.messages('error')).toContain('lane paused');
    expect(await world.row(row)).toMatchObject({ status: 'pending', commitPhase: 'queued' });
    const key = { table: 'lanes', pk: world.lane, sk: 'STATE' } as const;
    await world.records.update({ key, set: { paused: undefined } });
    await mineAndTick(world, 6);
    expect(minedCalls(world)).toEqual(['commit']);
    expect((await world.row(row)).commitPhase).toBe('final');
  });

  test('does not block the transactions behind it', async () => {
    const world = makeWorld({ confirmations: 2 });
    await startCommit(world, alice, 'one');
    const behind = await startCommit(world, bob, 'two');
    world.chain.mempool.drop(0);
    world.chain.spendNonce(world.signer.address);
    await mineAndTick(world, 4);
    expect((await world.row(behind)).commitPhase).toBe('final');
  });
});

describe('a cancellation', () => {
  test('that is mined frees the operations of the overdue transaction, and they are sent again', async () => {
    const world = makeWorld({ maxBoundHours: 24 });
    const row = await startCommit(world, alice);
    world.chain.minTip = 10n ** 15n;
    world.clock.advance(24 * 3600);
    await mineAndTick(world);
    expect(world.log.messages('error')).toContain('transaction overdue, canceling');
    const [transaction] = await unsettledTransactions(world);
    expect(transaction?.attempts.at(-1)?.cancels).toBe(true);
    expect((await world.row(row)).commitPhase).toBe('queued');
    world.chain.minTip = 0n;
    await mineAndTick(world, 8);
    expect(world.chain.receipts()[0]).toMatchObject({ nonce: 0, data: '0x', to: world.signer.address });
    expect(minedCalls(world)).toEqual(['commit']);
    expect(await world.row(row)).toMatchObject({ status: 'committed', commitPhase: 'final' });
  });

  test('has no effect when the attempt to be canceled is mined', async () => {
    const world = makeWorld({ maxBoundHours: 24 });
    const row = await startCommit(world, alice);
    const original = (await unsettledTransactions(world))[0]?.attempts[0]?.hash;
    world.chain.minTip = 10n ** 15n;
    world.chain.forgetsSent = true;
    world.clock.advance(24 * 3600);
    await mineAndTick(world);
    world.chain.minTip = 0n;
    await mineAndTick(world, 4);
    expect(await world.row(row)).toMatchObject({ commitPhase: 'final', commitTxHash: original });
    expect(minedCalls(world)).toEqual(['commit']);
  });
});

test('a lane reserves no more than its daily budget, and continues the next day', async () => {
  // One commit may cost 157,300 gas at 21 gwei.
  const world = makeWorld({ dailyFeeBudget: 0.004, confirmations: 1 });
  const first = await startCommit(world, alice, 'one');
  const second = await startCommit(world, bob, 'two');
  expect(await unsettledTransactions(world)).toHaveLength(1);
  expect(world.log.messages('error')).toContain('lane cannot pay');
  await mineAndTick(world);
  expect((await world.row(first)).commitPhase).toBe('final');
  expect(BigInt((await stateOf(world)).spent?.wei ?? 0)).toBe(world.chain.receipts()[0]?.fee);
  world.clock.advance(24 * 3600);
  await tick(world);
  await mineAndTick(world);
  expect((await world.row(second)).commitPhase).toBe('final');
});

/** Lets somebody else use the nonce of the lane's last transaction, and waits until that is final. */
async function loseNonce(world: World): Promise<void> {
  world.chain.mempool.drop((await stateOf(world)).nextNonce - 1);
  world.chain.spendNonce(world.signer.address);
  await mineAndTick(world, world.chain.settings.confirmations);
  expect((await stateOf(world)).paused).toBeDefined();
}

const listQueued = (world: World) => listOperations(world, world.queue, 10);

test('an operation that was never mined does not count as reverted, however often its nonce is lost', async () => {
  const world = makeWorld();
  const row = await startCommit(world, alice);
  for (let time = 0; time < 5; time++) {
    await loseNonce(world);
    const [operation] = await listQueued(world);
    expect(operation?.reverts ?? 0).toBe(0);
    await resumeLane(world.services, world.lane);
    await tick(world);
  }
  await mineAndTick(world, world.chain.settings.confirmations);
  expect(await world.row(row)).toMatchObject({ status: 'committed', commitPhase: 'final' });
});

test('a link whose nonce is lost is sent again although the registry has its attestation', async () => {
  const world = makeWorld();
  const parent = await selfAttest(world, alice, 'the old article');
  const { attestation: child } = await world.create(alice, 'the new article');
  await linkChild(world.services, parent, child.id);
  await tick(world);
  await loseNonce(world);
  expect(await listQueued(world)).toHaveLength(1);
  await resumeLane(world.services, world.lane);
  await tick(world);
  await mineAndTick(world, world.chain.settings.confirmations);
  expect(await world.row(parent)).toMatchObject({ linkPhase: 'final' });
  expect(world.chain.state.entry(parent.attestationIndex ?? 0).childDigest).toBe(child.digest);
});

const revoke = ({ services, signer }: World) =>
  revokeSigner(services, chainId, signer.address, { force: true });

test.each([{ forwarder: false }, { forwarder: true }])(
  'an operation sent by a revoked key fails or is freed only when it cannot be mined any more: %o',
  async (mode) => {
    const world = makeWorld(mode);
    const row = await startCommit(world, alice);
    world.chain.minTip = 10n ** 12n;
    // The forwarder still accepts calls of the revoked key.
    await revoke(world);
    await mineAndTick(world, 2 * world.chain.settings.confirmations);
    expect(await unsettledTransactions(world)).toMatchObject([{ nonce: 0, state: 'pending' }]);
    expect(await world.row(row)).toMatchObject({ status: 'pending', commitPhase: 'queued' });
    world.chain.minTip = 0n;
    await mineAndTick(world, world.chain.settings.confirmations);
    expect(minedCalls(world)).toEqual(['commit']);
    expect(await world.row(row)).toMatchObject({ status: 'committed', commitPhase: 'final' });
  },
);

test('a nonce that a reorg freed is not filled once its key is revoked, and the lane becomes idle', async () => {
  const world = makeWorld();
  const { chain, lane, records, signer } = world;
  const { confirmations } = chain.settings;
  await startCommit(world, alice);
  chain.spendNonce(signer.address);
  const height = chain.newest.number;
  await mineAndTick(world, confirmations);
  chain.reorganize(chain.newest.number - height + 1, { drop: true });
  world.mine(confirmations);
  chain.forgetsSent = true;
  await tick(world);
  expect(await unsettledTransactions(world)).toMatchObject([{ nonce: 0, canceling: true }]);
  await revoke(world);
  await mineAndTick(world, 2);
  expect(await findTransaction(records, lane, 0)).toMatchObject({ state: 'final', lostTo: 'revocation' });
  expect(await stateOf(world)).toMatchObject({ finalNonce: 1, nextNonce: 1 });
});

test('a lane whose key is revoked becomes idle although operations wait for another signer', async () => {
  const world = makeWorld({ forwarder: true });
  await commits(world, alice);
  await revoke(world);
  world.executions.started.length = 0;
  expect(await tick(world)).toMatchObject({ done: true });
  expect(world.executions.started).toEqual([]);
  expect(await world.owes()).toBe(true);
});
