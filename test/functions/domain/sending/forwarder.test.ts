import { describe, expect, test } from 'vitest';
import { waitingQueues } from '../../../../functions/domain/lane/queue-records.ts';
import { findPayload } from '../../../../functions/domain/lane/transaction-records.ts';
import { registryCall } from '../../../../functions/domain/operation/registry-call.ts';
import { minedCalls, watchSends } from '../../../fakes/checks/outcome-checks.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import { enqueue, mineAndTick, tick, unsettledTransactions } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

function makeForwarding(options: Parameters<typeof makeWorld>[0] = {}): World {
  const world = makeWorld({ forwarder: true, ...options });
  watchSends(world);
  return world;
}

async function batchSizes(world: World): Promise<number[]> {
  const transactions = await unsettledTransactions(world);
  const payloads = transactions.map(({ lane, nonce }) => findPayload(world.records, lane, nonce));
  return (await Promise.all(payloads)).map(({ operations }) => operations.length);
}

async function phases(world: World, rows: Awaited<ReturnType<typeof enqueue>>) {
  const now = await Promise.all(rows.map((row) => world.row(row)));
  return now.map(({ commitPhase }) => commitPhase);
}

describe('through a forwarder', () => {
  test('operations of all organizations share transactions, at most 96 in one', async () => {
    const world = makeForwarding();
    await enqueue(world, alice, 100);
    await enqueue(world, bob, 20);
    await dispatchQueue(world.services, world.queue);
    expect(await batchSizes(world)).toEqual([96, 24]);
    await mineAndTick(world, 3);
    expect(minedCalls(world)).toHaveLength(120);
    expect(await world.owes()).toBe(false);
  });

  test('only a call that reverts fails, with its reason, and the others are mined', async () => {
    const world = makeForwarding();
    const rows = await enqueue(world, alice, 6);
    await dispatchQueue(world.services, world.queue);
    // The same commit is mined before the batch, so the registry refuses it in the batch.
    const [doomed] = rows;
    if (doomed) world.chain.act(world.delegateAddress, registryCall(doomed, 'commit').data);
    await tick(world);
    expect(await phases(world, rows)).toEqual(['queued', ...Array(5).fill('mined')]);
    await mineAndTick(world, 2);
    expect(await phases(world, rows)).toEqual(['refused', ...Array(5).fill('final')]);
    const { error } = await world.row(doomed as (typeof rows)[number]);
    expect(error).toBe('the registry refused: commit repeated; submit the content again');
    expect(await waitingQueues(world.records, [world.queue])).toEqual([]);
  });

  test('a batch that reverts as a whole is halved until only the faulty call fails', async () => {
    const world = makeForwarding();
    const rows = await enqueue(world, alice, 13);
    const bad = rows[4];
    if (bad) world.chain.revertCauses.add(registryCall(bad, 'commit').data);
    await dispatchQueue(world.services, world.queue);
    await mineAndTick(world, 60);
    const ended = await phases(world, rows);
    expect(ended.filter((phase) => phase === 'final')).toHaveLength(12);
    expect(ended[4]).toBe('refused');
    expect(await world.row(bad ?? (alice as never))).toMatchObject({
      status: 'failed',
      error: '4 transactions reverted; submit the content again',
    });
    expect(await world.owes()).toBe(false);
  });

  test('a transaction is split if its gas would exceed the limit', async () => {
    const world = makeForwarding({ maxInFlight: 4 });
    world.chain.gasPerOperation = 300_000n;
    await enqueue(world, alice, 96);
    await dispatchQueue(world.services, world.queue);
    const sizes = await batchSizes(world);
    expect(Math.max(...sizes)).toBe(38);
    for (const { gasLimit } of await unsettledTransactions(world))
      expect(gasLimit).toBeLessThanOrEqual(15_000_000n);
  });

  test('the store’s traffic of one dispatch does not depend on the number of queued operations', async () => {
    const costs = [];
    for (const waiting of [400, 1200]) {
      const world = makeForwarding({
        limits: { attestationsPerDay: waiting, linksPerDay: waiting, inFlight: waiting },
      });
      await enqueue(world, alice, waiting);
      Object.assign(world.records.reads, { calls: 0, items: 0 });
      Object.assign(world.records.writes, { calls: 0, items: 0 });
      await dispatchQueue(world.services, world.queue);
      costs.push({ reads: { ...world.records.reads }, writes: { ...world.records.writes } });
    }
    expect(costs[1]).toEqual(costs[0]);
  });
});
