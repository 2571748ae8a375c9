import { expect, test } from 'vitest';
import { findPayload, findTransaction } from '../../../../functions/domain/lane/transaction-records.ts';
import { resumeLane, resyncLane } from '../../../../functions/domain/operator/lane-control.ts';
import { readLaneStatus } from '../../../../functions/domain/operator/read-lane-status.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { checkLanes } from '../../../fakes/checks/lane-checks.ts';
import { minedCalls, watchSends } from '../../../fakes/checks/outcome-checks.ts';
import {
  mineAndTick,
  startCommit,
  stateOf,
  tick,
  unsettledTransactions,
} from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

const confirmations = 3;
const deepReorgMessage = 'reorg deeper than confirmations';

const kinds = ['skipped', 'lost'] as const;

/** Makes a lane that an operator resumed or resynced after a final transaction of another program used its second nonce. */
async function loseNonce(kind: (typeof kinds)[number]) {
  const world = makeWorld({ confirmations });
  const { chain, services, signer, lane } = world;
  [chain.baseGas, chain.gasPerOperation] = [60_000n, 1_000n];
  watchSends(world);
  await startCommit(world, alice, 'first');
  await mineAndTick(world, confirmations);
  if (kind === 'lost') await startCommit(world, bob, 'lost');
  const bytes = chain.mempool.find(signer.address, 1)?.raw;
  chain.spendNonce(signer.address);
  const height = chain.newest.number;
  await mineAndTick(world, confirmations);
  expect((await stateOf(world)).paused).toBeDefined();
  const release = kind === 'lost' ? resumeLane : resyncLane;
  await release(services, lane);
  world.log.lines.length = 0;
  /** Undoes the foreign transaction by a deep reorg, `extraDepth` blocks deeper than needed. */
  const undoForeign = (extraDepth = 0) =>
    chain.reorganize(chain.newest.number - height + 1 + extraDepth, { drop: true });
  return { world, undoForeign, bytes };
}

const errors = ({ log }: World) => log.messages('error');

const findFilling = async (world: World) =>
  (await unsettledTransactions(world)).find(({ nonce }) => nonce === 1);

test.each(kinds)('a %s nonce that a deep reorg frees is filled, and the lane continues', async (kind) => {
  const { world, undoForeign } = await loseNonce(kind);
  undoForeign();
  world.executions.started.length = 0;
  await sweep(world.services);
  expect(world.executions.started).toContain(`${world.lane}-${(await stateOf(world)).run}`);
  const row = await startCommit(world, alice, 'after');
  await mineAndTick(world, 4 * confirmations);
  expect(errors(world)).toEqual([deepReorgMessage]);
  const filling = world.chain.receipts().find(({ nonce }) => nonce === 1);
  expect(filling).toMatchObject({ data: '0x', to: world.signer.address });
  expect(await world.row(row)).toMatchObject({ commitPhase: 'final' });
  expect(minedCalls(world)).toHaveLength(kind === 'lost' ? 3 : 2);
  expect(await world.owes()).toBe(false);
  await checkLanes(world);
});

test.each(kinds)(
  'a %s nonce is not filled until it is unused in a final block that is newer than its former use',
  async (kind) => {
    const { world, undoForeign } = await loseNonce(kind);
    const since = async () => (await stateOf(world)).lowestSinceBlock;
    undoForeign();
    while (world.chain.newest.number - confirmations + 1 < (await since())) {
      await tick(world);
      expect(errors(world)).toEqual([]);
      expect(await findFilling(world)).toBeUndefined();
      world.mine();
    }
    await tick(world);
    expect(errors(world)).toEqual([deepReorgMessage]);
  },
);

test.each(kinds)(
  'a %s nonce is not filled until a final block is newer than the undone use of the nonce below',
  async (kind) => {
    const { world, undoForeign } = await loseNonce(kind);
    undoForeign(confirmations);
    const isFilled = () => world.chain.mempool.find(world.signer.address, 1) !== undefined;
    for (let block = 0; block < 20 && !isFilled(); block++) await mineAndTick(world);
    const final = world.chain.newest.number - confirmations + 1;
    expect([isFilled(), final]).toEqual([true, (await stateOf(world)).lowestSinceBlock]);
  },
);

test.each(kinds)('a lagging provider does not cause a %s nonce to be filled', async (kind) => {
  const { world } = await loseNonce(kind);
  world.chain.lagBlocks = world.chain.newest.number;
  for (; world.chain.lagBlocks >= 0; world.chain.lagBlocks--) await tick(world);
  expect(errors(world)).toEqual([]);
  expect(await findFilling(world)).toBeUndefined();
});

test.each(kinds)(
  'another use of a %s nonce, before it is filled, has no effect on the lane',
  async (kind) => {
    const { world, undoForeign } = await loseNonce(kind);
    undoForeign();
    world.mine(confirmations);
    world.chain.forgetsSent = true;
    await tick(world);
    expect(await findFilling(world)).toMatchObject({ canceling: true });
    world.chain.forgetsSent = false;
    world.chain.spendNonce(world.signer.address);
    const row = await startCommit(world, alice, 'after');
    await mineAndTick(world, 3 * confirmations);
    expect(await findTransaction(world.records, world.lane, 1)).toMatchObject({
      lostTo: 'foreign',
      state: 'final',
    });
    expect((await stateOf(world)).paused).toBeUndefined();
    expect(await world.row(row)).toMatchObject({ commitPhase: 'final' });
    expect([minedCalls(world).length, world.chain.receipts().length]).toEqual(
      kind === 'lost' ? [3, 4] : [2, 3],
    );
    expect(await world.owes()).toBe(false);
    await checkLanes(world);
  },
);

test('an operation that lost its nonce is not resent, but is settled if another program resends it', async () => {
  const { world, undoForeign, bytes = '0x' } = await loseNonce('lost');
  undoForeign();
  // Enough for a commit of 80,000 gas at 21 gwei, and too little for a cancellation of 120,000 that outbids it.
  world.chain.setBalance(world.signer.address, 2n * 10n ** 15n);
  await mineAndTick(world, 50);
  expect(errors(world)).toContain('lane cannot pay');
  expect(world.chain.mempool.nonces()).toEqual([]);
  world.chain.setBalance(world.signer.address, 10n ** 18n);
  await world.chain.send(bytes);
  await mineAndTick(world, 4 * confirmations);
  const [, again] = world.chain.receipts();
  expect(again).toMatchObject({ nonce: 1, raw: bytes, succeeded: true });
  const { operations } = await findPayload(world.records, world.lane, 1);
  const [row] = await Promise.all(operations.map(world.row));
  expect(row).toMatchObject({ commitPhase: 'final', commitTxHash: again?.hash });
  expect(minedCalls(world)).toEqual(['commit', 'commit']);
  expect(await world.owes()).toBe(false);
});

test('an operation that lost its nonce is not resent while every node refuses the cancellation', async () => {
  const { world, undoForeign, bytes } = await loseNonce('lost');
  undoForeign();
  // Nodes would accept the commit, but no cancellation that outbids it.
  world.chain.poolRules.feeCap = 2n * 10n ** 15n;
  await mineAndTick(world, 50);
  expect(errors(world)).toContain('transaction refused');
  expect(world.chain.mempool.nonces()).not.toContain(1);
  expect(world.chain.receipts().map(({ raw }) => raw)).not.toContain(bytes);
  world.chain.poolRules.feeCap = 10n ** 18n;
  await mineAndTick(world, 50);
  expect(world.chain.receipts().find(({ nonce }) => nonce === 1)).toMatchObject({ data: '0x' });
  expect(await world.owes()).toBe(false);
  await checkLanes(world);
});

test.each(kinds)('the commands report a %s nonce that is free again', async (kind) => {
  const { world, undoForeign } = await loseNonce(kind);
  const { services, lane } = world;
  const waits = async () => (await readLaneStatus(services, lane)).waitingFor;
  await mineAndTick(world, 2 * confirmations);
  expect(await waits()).toBe('nothing');
  undoForeign();
  await expect(resyncLane(services, lane)).rejects.toThrow('automatically');
  expect(await waits()).toContain('final block that shows nonce 1 used or free');
  world.mine(2 * confirmations);
  world.chain.forgetsSent = true;
  await tick(world);
  world.chain.forgetsSent = false;
  await expect(resyncLane(services, lane)).rejects.toThrow('not final yet');
  await mineAndTick(world, 3 * confirmations);
  expect(await waits()).toBe('nothing');
  expect((await resyncLane(services, lane)).paused).toBeUndefined();
});
