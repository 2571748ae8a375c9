import { expect, test } from 'vitest';
import { committing, mineAndTick, openTransactions, stateOf, tick } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../../fakes/world/world.ts';

test('nothing is bound while changes of the settings are unread, and what is sent is settled', async () => {
  const world = makeWorld();
  const { chain } = world;
  const first = await committing(world, alice, 'first');
  chain.settingsUnread = true;
  const second = await committing(world, bob, 'second');
  await mineAndTick(world, chain.settings.confirmations + 1);
  expect([(await world.row(first)).commitPhase, (await world.row(second)).commitPhase]).toEqual([
    'final',
    'queued',
  ]);
  expect(await stateOf(world)).toMatchObject({ nextNonce: 1, finalNonce: 1 });
  chain.settingsUnread = false;
  await tick(world);
  expect(await openTransactions(world)).toMatchObject([{ nonce: 1, attempts: [{}] }]);
});

test('what is stuck is not offered for more while changes of the settings are unread, but sent again', async () => {
  const world = makeWorld();
  const { chain } = world;
  chain.forgetsSent = true;
  const row = await committing(world, alice);
  chain.settingsUnread = true;
  await mineAndTick(world, 29);
  expect(await openTransactions(world)).toMatchObject([{ nonce: 0, attempts: [{}] }]);
  chain.forgetsSent = false;
  await mineAndTick(world, 3);
  expect((await world.row(row)).commitPhase).toBe('mined');
});

test('what a crash left unsigned is signed once changes of the settings were read', async () => {
  const world = makeWorld();
  const { chain, signer } = world;
  const sign = signer.sign;
  signer.sign = () => Promise.reject(new Error('crash'));
  await committing(world, alice);
  signer.sign = sign;
  chain.settingsUnread = true;
  await mineAndTick(world, 3);
  expect(await openTransactions(world)).toMatchObject([{ nonce: 0, attempts: [] }]);
  chain.settingsUnread = false;
  await tick(world);
  expect(await openTransactions(world)).toMatchObject([{ nonce: 0, attempts: [{}] }]);
});
