import { describe, expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import type { Caller } from '../../../../functions/domain/organization/api-keys.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import {
  addPublisher,
  enqueue,
  mineAndTick,
  startCommit,
  stateOf,
  tick,
  withChain,
} from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, forwarderAddress, makeWorld, type World } from '../../../fakes/world/world.ts';

/** Queues reveals whose authorities just revoked their delegations: they revert, and no final block shows why. */
async function queueUnready(world: World, callers: readonly Caller[], count: number): Promise<void> {
  const rows: Attestation[] = [];
  for (const caller of callers) rows.push(...(await enqueue(world, caller, count)));
  await mineAndTick(world, 3 * world.chain.settings.confirmations + 10);
  for (const row of rows) await queueOperation(world.services, await world.row(row), 'reveal');
  for (const { authorityAddress } of callers) world.chain.revokeDelegation(authorityAddress);
}

/** Counts the ticks until the lane assigns a nonce; 200 when it does not. */
async function ticksUntilBound(world: World): Promise<number> {
  const { nextNonce } = await stateOf(world);
  for (let ticks = 1; ticks < 200; ticks++) {
    await mineAndTick(world);
    if ((await stateOf(world)).nextNonce > nextNonce) return ticks;
  }
  return 200;
}

describe('an operation that cannot be sent yet', () => {
  test('delays others by at most two ticks, even if a page cannot hold all such operations', async () => {
    const world = makeWorld({ forwarder: true, confirmations: 100 });
    const callers = Array.from({ length: 49 }, (_, number) => addPublisher(world, number));
    world.mine(105);
    await queueUnready(world, callers.slice(0, 48), 4);
    await enqueue(world, callers[48] as Caller);
    expect(await ticksUntilBound(world)).toBeLessThanOrEqual(2);
  });

  test('is retried at the next block, and less often over time', async () => {
    const world = makeWorld({ confirmations: 400 });
    const [row] = (await enqueue(world, alice)) as [Attestation];
    await mineAndTick(world, 410);
    world.chain.revokeDelegation(alice.authorityAddress);
    await queueOperation(world.services, await world.row(row), 'reveal');
    const triedAt: number[] = [];
    let blocks = 0;
    const simulate: Chain['simulate'] = (call, route) => {
      triedAt.push(blocks);
      return world.chain.simulate(call, route);
    };
    const services = withChain(world, { simulate });
    for (; blocks < 100; blocks++) {
      world.mine();
      await tick(world, services);
    }
    const blocksBetween = triedAt.slice(1).map((height, position) => height - (triedAt[position] ?? 0));
    expect(blocksBetween.slice(0, 4)).toEqual([1, 1, 1, 1]);
    expect(blocksBetween.at(-1)).toBeGreaterThanOrEqual(15);
    expect(blocksBetween).toEqual(blocksBetween.toSorted((a, b) => a - b));
  });

  test('precedes later operations once it can be sent', async () => {
    const world = makeWorld({ confirmations: 100, maxInFlight: 1 });
    world.mine(105);
    const [row] = (await enqueue(world, alice)) as [Attestation];
    await mineAndTick(world, 310);
    world.chain.revokeDelegation(alice.authorityAddress);
    await queueOperation(world.services, await world.row(row), 'reveal');
    await mineAndTick(world);
    world.chain.delegate(alice.authorityAddress, world.delegateAddress);
    await enqueue(world, bob, 5);
    await mineAndTick(world, 2);
    const { revealPhase } = await world.row(row);
    expect(revealPhase).toBe('mined');
  });

  test.each([{ delegates: ['key'] as const }, { delegates: ['key', forwarderAddress] as const }])(
    'is checked once per tick with delegates $delegates',
    async ({ delegates }) => {
      const world = makeWorld({ confirmations: 60, maxInFlight: 8, delegates: [...delegates] });
      const rows = await enqueue(world, alice, 100);
      await mineAndTick(world, 150);
      for (const row of rows) await queueOperation(world.services, await world.row(row), 'reveal');
      const late: Attestation[] = [];
      for (let number = 0; number < 8; number++)
        late.push((await world.create(alice, `late ${number}`)).attestation);
      world.chain.revokeDelegation(alice.authorityAddress);
      for (const row of late) await queueOperation(world.services, row, 'commit');
      let simulations = 0;
      const simulate: Chain['simulate'] = (call, route) => {
        simulations++;
        return world.chain.simulate(call, route);
      };
      const { nextNonce } = await stateOf(world);
      await tick(world, withChain(world, { simulate }));
      expect([(await stateOf(world)).nextNonce - nextNonce, simulations]).toEqual([8, 108]);
    },
  );

  test('is checked only while the function has time', async () => {
    const world = makeWorld({ forwarder: false, confirmations: 100, maxInFlight: 16 });
    const callers = [addPublisher(world, 1)];
    world.mine(105);
    await queueUnready(world, callers, 60);
    const startedAt = world.clock.now().getTime();
    const simulate: Chain['simulate'] = (call, route) => {
      world.clock.advance(1);
      return world.chain.simulate(call, route);
    };
    await dispatchQueue(withChain(world, { simulate }), world.queue);
    const seconds = (world.clock.now().getTime() - startedAt) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(20);
    expect(seconds).toBeLessThan(40);
  });
});

test('an operation is retried at the next block after a chain failure', async () => {
  const world = makeWorld({ maxInFlight: 4 });
  const rows = await enqueue(world, alice, 3);
  const simulate: Chain['simulate'] = async () => {
    throw new ChainUnreachableError(chainId);
  };
  const services = withChain(world, { simulate });
  for (let block = 0; block < 600; block++) {
    world.mine();
    await tick(world, services);
  }
  await mineAndTick(world, 4);
  const phases = await Promise.all(rows.map(async (row) => (await world.row(row)).commitPhase));
  expect(phases).not.toContain('queued');
});

test('a lane with only postponed operations sleeps until the next retry, and new operations wake it', async () => {
  const world = makeWorld();
  const [row] = (await enqueue(world, alice)) as [Attestation];
  const foreign = { registryAddress: '0x6666666666666666666666666666666666666666' };
  await world.records.update({ key: attestationRow(row), set: foreign });
  world.mine();
  const { run } = await stateOf(world);
  const waits: number[] = [];
  for (let turn = 0; turn < 20; turn++) {
    world.mine(Math.ceil((waits.at(-1) ?? 0) / world.chain.settings.blockTimeSeconds));
    waits.push((await advance(world.services, { lane: world.lane, run, turn })).waitSeconds);
  }
  expect(waits.at(-1)).toBeGreaterThan(20);
  expect((await stateOf(world)).sleepsUntil).toBeDefined();
  await startCommit(world, bob);
  expect(world.executions.started.at(-1)).toBe(`${world.lane}-${run + 1}`);
});
