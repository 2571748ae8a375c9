import { describe, expect, test } from 'vitest';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { findPayload } from '../../../../functions/domain/lane/transaction-records.ts';
import { registryCall } from '../../../../functions/domain/operation/registry-call.ts';
import type { Services } from '../../../../functions/domain/services.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { minedCalls } from '../../../fakes/checks/mined-calls.ts';
import { watchSends } from '../../../fakes/checks/outcome-checks.ts';
import { guarded } from '../../../fakes/ports/guarded.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import {
  enqueue,
  mineAndTick,
  startCommit,
  unsettledTransactions,
  withChain,
} from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

async function payloads(world: World) {
  const transactions = await unsettledTransactions(world);
  return Promise.all(transactions.map(({ lane, nonce }) => findPayload(world.records, lane, nonce)));
}

const boundIds = async (world: World) =>
  (await payloads(world)).flatMap(({ operations }) => operations.map(({ id }) => id));

describe('dispatching a queue', () => {
  test('binds operations to the next nonces, signs and stores before it sends, and leaves the rest queued when the lane is full', async () => {
    const world = makeWorld({ maxInFlight: 2 });
    watchSends(world);
    const rows = await enqueue(world, alice, 3);
    await dispatchQueue(world.services, world.queue);
    const transactions = await unsettledTransactions(world);
    expect(transactions.map(({ nonce, state }) => [nonce, state])).toEqual([
      [0, 'pending'],
      [1, 'pending'],
    ]);
    expect(await boundIds(world)).toEqual(rows.slice(0, 2).map(({ id }) => id));
    expect(world.chain.mempool.nonces()).toEqual([0, 1]);
    const [first] = rows;
    if (first) expect((await payloads(world))[0]?.data).toBe(registryCall(first, 'commit').data);
    await mineAndTick(world);
    expect(await boundIds(world)).toContain(rows[2]?.id);
  });

  test('never sends a reveal before the delay', async () => {
    const world = makeWorld();
    const row = await startCommit(world, alice);
    await mineAndTick(world, 4);
    await queueOperation(world.services, await world.row(row), 'reveal');
    await dispatchQueue(world.services, world.queue);
    expect(await unsettledTransactions(world)).toEqual([]);
    expect((await world.row(row)).revealPhase).toBe('queued');
    await mineAndTick(world, 3);
    await mineAndTick(world);
    expect(minedCalls(world)).toEqual(['commit', 'reveal']);
  });

  test('gives each operation exactly one nonce when several dispatches run concurrently', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const world = makeWorld();
      watchSends(world);
      const rows = [...(await enqueue(world, alice, 2)), ...(await enqueue(world, bob))];
      await interleave(
        world.services,
        seed,
        [1, 2, 3].map(() => (services) => dispatchQueue(services, world.queue)),
      );
      const transactions = await unsettledTransactions(world);
      expect(transactions.map(({ nonce }) => nonce)).toEqual([0, 1, 2]);
      expect(transactions.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1]);
      expect((await boundIds(world)).sort()).toEqual(rows.map(({ id }) => id).sort());
      expect(world.chain.mempool.nonces()).toEqual([0, 1, 2]);
    }
  });

  test('skips an operation whose simulation fails, but not while the chain is unreachable', async () => {
    const world = makeWorld();
    await enqueue(world, alice);
    const [second] = await enqueue(world, bob);
    let calls = 0;
    const simulate: Chain['simulate'] = async (...args) => {
      if (calls++ === 0) throw new Error('garbage');
      return world.chain.simulate(...args);
    };
    await dispatchQueue(withChain(world, { simulate }), world.queue);
    expect(await boundIds(world)).toEqual([second?.id]);
    world.chain.unreachable = true;
    await expect(dispatchQueue(world.services, world.queue)).rejects.toThrow('cannot be reached');
  });

  test('refuses no reveal whose commit is not final', async () => {
    const world = makeWorld({ confirmations: 20 });
    const row = await startCommit(world, alice);
    await mineAndTick(world, 8);
    await queueOperation(world.services, await world.row(row), 'reveal');
    world.chain.revokeDelegation(alice.authorityAddress);
    await mineAndTick(world, 10);
    expect(await world.row(row)).toMatchObject({ status: 'committed', revealPhase: 'queued' });
    await mineAndTick(world, 12);
    expect((await world.row(row)).status).toBe('failed');
  });
});

test.each([1, 2])('concurrent senders make few simulations and few lost writes: seed %i', async (seed) => {
  const world = makeWorld({ maxInFlight: 16 });
  const rows = [];
  for (let post = 0; post < 100; post++)
    rows.push((await world.create(alice, `article ${post}`)).attestation);
  const counts = { simulations: 0, lostWrites: 0, sends: 0 };
  const counted = guarded(world.services, async (name, effect) => {
    const answer = await effect();
    if (name === 'chain.simulate') counts.simulations++;
    if (name === 'records.update' && answer === undefined) counts.lostWrites++;
    if (name === 'records.transact' && answer === false) counts.lostWrites++;
    if (name === 'chain.send') counts.sends++;
    return answer;
  });
  const commits = rows.map(
    (row) => (services: Services) => commitStep(services, { ...row, taskToken: row.id }),
  );
  await interleave(counted, seed, commits);
  expect(counts.sends).toBe(16);
  expect(counts.simulations).toBeLessThanOrEqual(1.5 * counts.sends);
  expect(counts.lostWrites).toBeLessThanOrEqual(1.5 * counts.sends);
});
