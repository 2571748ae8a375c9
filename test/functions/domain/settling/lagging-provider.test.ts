import { expect, test } from 'vitest';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { overriding } from '../../../fakes/ports/overriding.ts';
import { committing, mineAndTick, openTransactions, stateOf, tick } from '../../../fakes/world/steps.ts';
import { alice, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

/** A tick that reads its snapshot from a provider of its own. */
async function tickWith(world: World, snapshot: Chain['snapshot']): Promise<void> {
  const chain = overriding<Chain>(world.chain, { snapshot });
  const { run } = await stateOf(world);
  await advance({ ...world.services, chain: () => chain }, { lane: world.lane, run, turn: 0 });
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
  await tickWith(world, async () => before);
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
  await tickWith(world, async (query) => ({
    ...(await world.chain.snapshot(query)),
    blockHashes: new Map(),
  }));
  expect(await world.row(row)).toMatchObject({ commitPhase: 'mined' });
  await tick(world);
  expect(await world.row(row)).toMatchObject({ commitPhase: 'queued' });
  await mineAndTick(world, world.chain.settings.confirmations);
  expect(await world.row(row)).toMatchObject({ commitPhase: 'final' });
});
