import { expect, test } from 'vitest';
import { findTransaction } from '../../../../functions/domain/lane/transaction-records.ts';
import { revokeSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { committing, mineAndTick, openTransactions, stateOf, tick } from '../../../fakes/world/steps.ts';
import { alice, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

const revoke = ({ services, signer }: World) =>
  revokeSigner(services, chainId, signer.address, { force: true });

test.each([{ forwarder: false }, { forwarder: true }])(
  'what a revoked key sent fails or is freed only when it cannot be mined any more: %o',
  async (mode) => {
    const world = makeWorld(mode);
    const row = await committing(world, alice);
    world.chain.minTip = 10n ** 12n;
    // The forwarder still takes calls from it.
    await revoke(world);
    await mineAndTick(world, 2 * world.chain.settings.confirmations);
    expect(await openTransactions(world)).toMatchObject([{ nonce: 0, state: 'open' }]);
    expect(await world.row(row)).toMatchObject({ status: 'pending', commitPhase: 'queued' });
    world.chain.minTip = 0n;
    await mineAndTick(world, world.chain.settings.confirmations);
    expect(minedCalls(world)).toEqual(['commit']);
    expect(await world.row(row)).toMatchObject({ status: 'committed', commitPhase: 'final' });
  },
);

test('a nonce that is free again when its key is revoked is not filled any more, and the lane comes to rest', async () => {
  const world = makeWorld();
  const { chain, lane, records, signer } = world;
  const { confirmations } = chain.settings;
  await committing(world, alice);
  chain.spendNonce(signer.address);
  const height = chain.newest.number;
  await mineAndTick(world, confirmations);
  chain.reorganise(chain.newest.number - height + 1, { drop: true });
  world.mine(confirmations);
  chain.forgetsSent = true;
  await tick(world);
  expect(await openTransactions(world)).toMatchObject([{ nonce: 0, cancelling: true }]);
  await revoke(world);
  await mineAndTick(world, 2);
  expect(await findTransaction(records, lane, 0)).toMatchObject({ state: 'final', lostTo: 'revocation' });
  expect(await stateOf(world)).toMatchObject({ finalNonce: 1, nextNonce: 1 });
});

test('a lane whose key is revoked comes to rest, though operations wait for another signer', async () => {
  const world = makeWorld({ forwarder: true });
  const { attestation } = await world.create(alice, 'An article.');
  await queueOperation(world.services, attestation, 'commit');
  await revoke(world);
  world.executions.started.length = 0;
  expect(await tick(world)).toMatchObject({ done: true });
  expect(world.executions.started).toEqual([]);
  expect(await world.owes()).toBe(true);
});
