import { expect, test } from 'vitest';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { listOperations } from '../../../../functions/domain/lane/queue-records.ts';
import { findPayload } from '../../../../functions/domain/lane/transaction-records.ts';
import { revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { type Faults, invoke } from '../../../fakes/ports/faults.ts';
import { interrupt } from '../../../fakes/ports/port-overrides.ts';
import {
  enqueue,
  mineAndTick,
  startCommit,
  stateOf,
  tick,
  unsettledTransactions,
  withChain,
} from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

async function tickWith(world: World, overrides: Partial<Chain>): Promise<void> {
  await tick(world, withChain(world, overrides));
}

test('a nonce used in a final block is not lost to a revocation although the snapshot is older', async () => {
  const world = makeWorld({ forwarder: true });
  const row = await startCommit(world, alice);
  const before = await world.chain.snapshot({
    ...{ signerAddress: world.signer.address, hashes: [], blockNumbers: [] },
  });
  world.mine();
  await revokeSigner(world.services, chainId, world.signer.address, { force: true });
  world.chain.removeOperator(world.delegateAddress, world.signer.address);
  world.mine(world.chain.settings.confirmations);
  await tickWith(world, { snapshot: async () => before });
  expect(await unsettledTransactions(world)).toMatchObject([{ nonce: 0, state: 'pending' }]);
  await tick(world);
  expect(await stateOf(world)).toMatchObject({ finalNonce: 1 });
  expect(await world.row(row)).toMatchObject({ status: 'committed', commitPhase: 'final' });
});

test('a mined transaction is not final while the provider does not show its block', async () => {
  const world = makeWorld({ confirmations: 4 });
  const row = await startCommit(world, alice);
  await mineAndTick(world);
  world.mine(world.chain.settings.confirmations);
  world.chain.reorganize(world.chain.settings.confirmations + 1, { drop: true });
  await tickWith(world, {
    snapshot: async (query) => ({ ...(await world.chain.snapshot(query)), blockHashes: new Map() }),
  });
  expect(await world.row(row)).toMatchObject({ commitPhase: 'mined' });
  await tick(world);
  expect(await world.row(row)).toMatchObject({ commitPhase: 'queued' });
  await mineAndTick(world, world.chain.settings.confirmations);
  expect(await world.row(row)).toMatchObject({ commitPhase: 'final' });
});

test('a nonce used by an unknown transaction does not block queued operations', async () => {
  const world = makeWorld();
  await startCommit(world, alice, 'one');
  world.chain.mempool.drop(0);
  world.chain.spendNonce(world.signer.address);
  await enqueue(world, bob);
  world.mine(world.chain.settings.confirmations);
  await tickWith(world, {
    transactionByNonce: async () => {
      throw new ChainUnreachableError(chainId);
    },
  });
  expect(await unsettledTransactions(world)).toMatchObject([{ nonce: 0 }, { nonce: 1 }]);
});

test('a lost nonce waits for lower ones whose receipts a provider does not show', async () => {
  const world = makeWorld();
  const below = await startCommit(world, alice, 'below');
  const row = await startCommit(world, bob, 'lost');
  world.chain.mempool.drop(1);
  world.mine();
  world.chain.spendNonce(world.signer.address);
  world.mine(world.chain.settings.confirmations);
  world.chain.hidesReceipts = true;
  await tick(world);
  expect(await stateOf(world)).toMatchObject({ minedNonce: 0, finalNonce: 0 });
  expect(await unsettledTransactions(world)).toHaveLength(2);
  world.chain.hidesReceipts = false;
  await tick(world);
  expect(await stateOf(world)).toMatchObject({ finalNonce: 2, paused: expect.any(String) });
  expect(await world.row(below)).toMatchObject({ status: 'committed', commitPhase: 'final' });
  expect(await world.row(row)).toMatchObject({ status: 'pending', commitPhase: 'queued' });
});

/** One more than fits in a write, because each freed operation takes two changes. */
const manyOperations = 49;

/** Kills the process at its second write of a settlement. */
function killBetweenParts(): Faults {
  let writes = 0;
  return { next: (call) => (call === 'records.transact' && ++writes === 2 ? 'killed before' : undefined) };
}

async function boundNames(world: World): Promise<string[]> {
  const unsettled = await unsettledTransactions(world);
  const payloads = await Promise.all(
    unsettled.map(({ nonce }) => findPayload(world.records, world.lane, nonce)),
  );
  return payloads.flatMap(({ operations }) => operations.map(({ id }) => id));
}

/** Makes a batch that reverted as a whole in a final block, and whose settlement takes more than one write. */
async function revertedBatch(): Promise<World> {
  const world = makeWorld({ forwarder: true });
  await enqueue(world, alice, manyOperations - 1);
  await enqueue(world, bob);
  await tick(world);
  expect(await boundNames(world)).toHaveLength(manyOperations);
  world.chain.revertsAll = true;
  world.mine();
  world.chain.revertsAll = false;
  world.mine(world.chain.settings.confirmations);
  return world;
}

/** Checks that each operation is in the queue or in one transaction, and that all are done in the end. */
async function expectOwedOnce(world: World, count: number): Promise<void> {
  const waiting = (await listOperations(world, world.queue, 100)).map(({ id }) => id);
  const owed = [...(await boundNames(world)), ...waiting];
  expect(new Set(owed).size).toBe(count);
  expect(owed).toHaveLength(count);
  await mineAndTick(world, 12);
  expect(minedCalls(world)).toHaveLength(count);
  expect(await world.owes()).toBe(false);
}

test('an operation freed and bound again during a settlement is not freed again', async () => {
  const world = await revertedBatch();
  await expect(
    invoke(world.services, killBetweenParts(), (services) => tick({ ...world, services })),
  ).rejects.toThrow();
  // The Commit state of another attestation dispatches the freed operations.
  await startCommit(world, alice, 'another');
  await tick(world);
  await expectOwedOnce(world, manyOperations + 1);
});

test('an operation that another function settled meanwhile is not settled again', async () => {
  const world = await revertedBatch();
  const records = interrupt<Records>(world.records, 'list', () => tick(world));
  await tick(world, { ...world.services, records });
  await expectOwedOnce(world, manyOperations);
});
