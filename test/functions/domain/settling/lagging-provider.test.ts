import { expect, test } from 'vitest';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { ChainUnreachableError } from '../../../../functions/domain/errors.ts';
import { revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import {
  committing,
  mineAndTick,
  openTransactions,
  queued,
  servicesWith,
  stateOf,
  tick,
} from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

/** A tick for which a provider answers some questions in its own way. */
async function tickWith(world: World, own: Partial<Chain>): Promise<void> {
  await tick(world, servicesWith(world, own));
}

test('a nonce that a final block shows used is not lost to a revocation, though the snapshot is from before', async () => {
  const world = makeWorld({ forwarder: true });
  const row = await committing(world, alice);
  const before = await world.chain.snapshot({
    ...{ signerAddress: world.signer.address, hashes: [], blockNumbers: [] },
  });
  world.mine();
  await revokeSigner(world.services, chainId, world.signer.address, { force: true });
  world.chain.removeOperator(world.delegateAddress, world.signer.address);
  world.mine(world.chain.settings.confirmations);
  await tickWith(world, { snapshot: async () => before });
  expect(await openTransactions(world)).toMatchObject([{ nonce: 0, state: 'open' }]);
  await tick(world);
  expect(await stateOf(world)).toMatchObject({ finalNonce: 1 });
  expect(await world.row(row)).toMatchObject({ status: 'committed', commitPhase: 'final' });
});

test('what is mined is not final by the word of a provider that does not show its block', async () => {
  const world = makeWorld({ confirmations: 4 });
  const row = await committing(world, alice);
  await mineAndTick(world);
  world.mine(world.chain.settings.confirmations);
  world.chain.reorganise(world.chain.settings.confirmations + 1, { drop: true });
  await tickWith(world, {
    snapshot: async (query) => ({ ...(await world.chain.snapshot(query)), blockHashes: new Map() }),
  });
  expect(await world.row(row)).toMatchObject({ commitPhase: 'mined' });
  await tick(world);
  expect(await world.row(row)).toMatchObject({ commitPhase: 'queued' });
  await mineAndTick(world, world.chain.settings.confirmations);
  expect(await world.row(row)).toMatchObject({ commitPhase: 'final' });
});

test('a nonce of which no provider says who used it holds up nothing that waits', async () => {
  const world = makeWorld();
  await committing(world, alice, 'one');
  world.chain.mempool.drop(0);
  world.chain.spendNonce(world.signer.address);
  await queued(world, bob);
  world.mine(world.chain.settings.confirmations);
  await tickWith(world, {
    transactionByNonce: async () => {
      throw new ChainUnreachableError(chainId);
    },
  });
  expect(await openTransactions(world)).toMatchObject([{ nonce: 0 }, { nonce: 1 }]);
});

test('a lost nonce waits for the ones below it, whose receipts a provider does not show', async () => {
  const world = makeWorld();
  const below = await committing(world, alice, 'below');
  const row = await committing(world, bob, 'lost');
  world.chain.mempool.drop(1);
  world.mine();
  world.chain.spendNonce(world.signer.address);
  world.mine(world.chain.settings.confirmations);
  world.chain.hidesReceipts = true;
  await tick(world);
  expect(await stateOf(world)).toMatchObject({ minedNonce: 0, finalNonce: 0 });
  expect(await openTransactions(world)).toHaveLength(2);
  world.chain.hidesReceipts = false;
  await tick(world);
  expect(await stateOf(world)).toMatchObject({ finalNonce: 2, paused: expect.any(String) });
  expect(await world.row(below)).toMatchObject({ status: 'committed', commitPhase: 'final' });
  expect(await world.row(row)).toMatchObject({ status: 'pending', commitPhase: 'queued' });
});
