import { describe, expect, test } from 'vitest';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { findPayload } from '../../../../functions/domain/lane/transaction-records.ts';
import { registryCall } from '../../../../functions/domain/operation/registry-call.ts';
import { confirmStep } from '../../../../functions/domain/steps/confirm.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { minedCalls, watchSends } from '../../../fakes/checks/outcome-checks.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { overriding } from '../../../fakes/ports/overriding.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import {
  committed,
  committing,
  mineAndTick,
  openTransactions,
  reveal,
  stateOf,
  tick,
} from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

const gwei = 1_000_000_000n;

/** Attestations whose commits wait in the queue, as if their steps could not dispatch. */
async function queued(world: World, ...callers: (typeof alice)[]) {
  const rows = [];
  for (const [n, caller] of callers.entries()) {
    world.clock.advance(1);
    const { attestation } = await world.create(caller, `article ${n}`);
    await queueOperation(world.services, attestation, 'commit');
    rows.push(await world.row(attestation));
  }
  return rows;
}

async function payloads(world: World) {
  const transactions = await openTransactions(world);
  return Promise.all(transactions.map(({ lane, nonce }) => findPayload(world.records, lane, nonce)));
}

const boundIds = async (world: World) =>
  (await payloads(world)).flatMap(({ operations }) => operations.map(({ id }) => id));

describe('dispatching a queue', () => {
  test('binds to the next nonces, signs, stores before it sends, and leaves the rest when the lane is full', async () => {
    const world = makeWorld({ maxInFlight: 2 });
    watchSends(world);
    const rows = await queued(world, alice, alice, alice);
    await dispatchQueue(world.services, world.queue);
    const transactions = await openTransactions(world);
    expect(transactions.map(({ nonce, state }) => [nonce, state])).toEqual([
      [0, 'open'],
      [1, 'open'],
    ]);
    expect(await boundIds(world)).toEqual(rows.slice(0, 2).map(({ id }) => id));
    expect(world.chain.mempool.nonces()).toEqual([0, 1]);
    const [first] = rows;
    if (first) expect((await payloads(world))[0]?.data).toBe(registryCall(first, 'commit').data);
    await mineAndTick(world);
    expect(await boundIds(world)).toContain(rows[2]?.id);
  });

  test('begins with the nonce the chain has, and never asks for it again', async () => {
    const world = makeWorld();
    for (let nonce = 0; nonce < 7; nonce++) world.chain.spendNonce(world.signer.address);
    world.mine(world.chain.settings.confirmations);
    await queued(world, alice);
    await dispatchQueue(world.services, world.queue);
    expect((await openTransactions(world)).map(({ nonce }) => nonce)).toEqual([7]);
  });

  test('does nothing on a lane that is paused', async () => {
    const world = makeWorld();
    await queued(world, alice);
    await stateOf(world);
    const key = { table: 'lanes', pk: world.lane, sk: 'STATE' } as const;
    await world.records.update({ key, set: { paused: 'by an operator' } });
    await dispatchQueue(world.services, world.queue);
    expect(await openTransactions(world)).toEqual([]);
  });

  test('serves one organisation after another: ten thousand waiting hold up nobody', async () => {
    const world = makeWorld({ maxInFlight: 4 });
    const many = await queued(world, ...Array.from({ length: 20 }, () => alice));
    const [late] = await queued(world, bob).then((rows) => rows);
    await dispatchQueue(world.services, world.queue);
    const ids = await boundIds(world);
    expect(ids).toEqual([many[0]?.id, late?.id, many[1]?.id, many[2]?.id]);
  });

  test('several at once, in any order, give every operation one nonce and leave none out', async () => {
    for (let seed = 0; seed < 40; seed++) {
      const world = makeWorld();
      watchSends(world);
      const rows = await queued(world, alice, bob, alice);
      await interleave(
        world.services,
        seed,
        [1, 2, 3].map(() => (services) => dispatchQueue(services, world.queue)),
      );
      const transactions = await openTransactions(world);
      expect(transactions.map(({ nonce }) => nonce)).toEqual([0, 1, 2]);
      expect(transactions.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1]);
      expect((await boundIds(world)).sort()).toEqual(rows.map(({ id }) => id).sort());
      expect(world.chain.mempool.nonces()).toEqual([0, 1, 2]);
    }
  });

  test('looks past operations that cannot go yet', async () => {
    const world = makeWorld();
    const stuck = await committed(world, alice);
    world.chain.revokeDelegation(alice.authorityAddress);
    await queueOperation(world.services, stuck, 'reveal');
    const [next] = await queued(world, bob);
    await dispatchQueue(world.services, world.queue);
    expect(await boundIds(world)).toEqual([next?.id]);
    expect((await world.row(stuck)).revealPhase).toBe('queued');
  });

  test('looks past an operation that nobody can look at, but not past a chain that is down', async () => {
    const world = makeWorld();
    const [, second] = await queued(world, alice, bob);
    let asked = 0;
    const simulate: Chain['simulate'] = async (...given) => {
      if (asked++ === 0) throw new Error('garbage');
      return world.chain.simulate(...given);
    };
    const odd = overriding<Chain>(world.chain, { simulate });
    await expect(dispatchQueue({ ...world.services, chain: () => odd }, world.queue)).resolves.toBeDefined();
    expect(await boundIds(world)).toEqual([second?.id]);
    world.chain.unreachable = true;
    await queued(world, bob).catch(() => {});
    await expect(dispatchQueue(world.services, world.queue)).rejects.toThrow('cannot be reached');
  });

  test('never sends a reveal before the delay', async () => {
    const world = makeWorld();
    const row = await committing(world, alice);
    await mineAndTick(world, 4);
    await queueOperation(world.services, await world.row(row), 'reveal');
    await dispatchQueue(world.services, world.queue);
    expect(await openTransactions(world)).toEqual([]);
    expect((await world.row(row)).revealPhase).toBe('queued');
    await mineAndTick(world, 3);
    await mineAndTick(world);
    expect(minedCalls(world)).toEqual(['commit', 'reveal']);
  });

  test('refuses nothing by a commit that is not final yet', async () => {
    const world = makeWorld({ confirmations: 20 });
    const row = await committing(world, alice);
    await mineAndTick(world, 8);
    await queueOperation(world.services, await world.row(row), 'reveal');
    world.chain.revokeDelegation(alice.authorityAddress);
    await mineAndTick(world, 10);
    expect(await world.row(row)).toMatchObject({ status: 'committed', revealPhase: 'queued' });
    await mineAndTick(world, 12);
    expect((await world.row(row)).status).toBe('failed');
  });
});

describe('while fees are above the cap', () => {
  async function dear(hours?: number) {
    const world = makeWorld({ maxFeePerGasGwei: 50, ...(hours ? { maxQueuedHours: hours } : {}) });
    world.chain.baseFee = 60n * gwei;
    const row = await committing(world, alice);
    return { world, row };
  }

  test('nothing is bound, and all goes on when they fall', async () => {
    const { world, row } = await dear();
    expect(await openTransactions(world)).toEqual([]);
    expect((await world.row(row)).status).toBe('pending');
    world.chain.baseFee = 10n * gwei;
    await tick(world);
    await mineAndTick(world);
    expect((await world.row(row)).status).toBe('committed');
  });

  test('for longer than the limit, the attestation fails by that rule and its waiting state is told', async () => {
    const { world, row } = await dear(24);
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

  test('for longer than the limit, a reveal waits on until its commit is final', async () => {
    const world = makeWorld({ maxFeePerGasGwei: 50, confirmations: 60 });
    const row = await committing(world, alice);
    await mineAndTick(world, 32);
    world.chain.baseFee = 60n * gwei;
    await reveal(world, row);
    world.clock.advance(24 * 3600);
    await tick(world);
    expect(await world.row(row)).toMatchObject({ status: 'committed', revealPhase: 'queued' });
    await mineAndTick(world, 28);
    expect(await world.row(row)).toMatchObject({ status: 'failed', revealPhase: 'refused' });
  });

  test('the wait is counted from when they rose, not from when the operation was queued', async () => {
    const world = makeWorld({ maxFeePerGasGwei: 50, maxInFlight: 1 });
    await committing(world, bob, 'in front');
    const row = await committing(world, alice);
    world.chain.minTip = 1000n * gwei;
    world.clock.advance(23 * 3600);
    world.chain.minTip = 0n;
    world.chain.baseFee = 20n * gwei;
    world.chain.mine();
    world.chain.baseFee = 60n * gwei;
    await tick(world);
    world.clock.advance(23 * 3600);
    await tick(world);
    expect((await world.row(row)).status).toBe('pending');
    world.clock.advance(3601);
    await tick(world);
    expect((await world.row(row)).status).toBe('failed');
  });

  test('for longer than the limit, an attestation that was confirmed otherwise stays confirmed', async () => {
    const { world, row } = await dear(24);
    world.chain.attest(alice.authorityAddress, row.digest);
    world.mine(3);
    await confirmStep(world.services, row);
    world.clock.advance(24 * 3600);
    await tick(world);
    expect(await world.row(row)).toMatchObject({ status: 'confirmed', error: null, commitPhase: 'refused' });
    expect(await world.owes()).toBe(false);
  });
});
