import { expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { SignerMismatchError } from '../../../../functions/domain/errors.ts';
import { laneName } from '../../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../../functions/domain/lane/lane-records.ts';
import { listOperations } from '../../../../functions/domain/lane/queue-records.ts';
import { activateSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { readLaneStatus } from '../../../../functions/domain/operator/read-lane-status.ts';
import type { Executions } from '../../../../functions/domain/services.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { FakeSigner } from '../../../fakes/ports/fake-signer.ts';
import { override } from '../../../fakes/ports/port-overrides.ts';
import { dispatchQueue } from '../../../fakes/world/dispatch-queue.ts';
import {
  addKey,
  enqueue,
  mineAndTick,
  startCommit,
  stateOf,
  tick,
  unsettledTransactions,
} from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, forwarderAddress, makeWorld } from '../../../fakes/world/world.ts';

/** Makes a world where alice delegates to a forwarder that does not know the key, and bob to the key itself. */
async function twoQueues() {
  const world = makeWorld({ forwarder: true, delegates: [forwarderAddress, 'key'] });
  world.chain.delegate(bob.authorityAddress, world.signer.address);
  world.mine(3);
  world.chain.removeOperator(forwarderAddress, world.signer.address);
  const refused = (await enqueue(world, alice))[0] as Attestation;
  return { world, refused };
}

test('a failing queue does not block others, and continues afterwards', async () => {
  const { world, refused } = await twoQueues();
  const [other] = (await enqueue(world, bob)) as [Attestation];
  await mineAndTick(world, 5);
  expect((await world.row(other)).commitPhase).toBe('final');
  expect((await readLaneStatus(world.services, world.lane)).waitingFor).toBe(
    `the forwarder ${forwarderAddress}, whose admin must add the key as an operator`,
  );
  world.chain.addOperator(forwarderAddress, world.signer.address);
  await mineAndTick(world, 5);
  expect((await world.row(refused)).commitPhase).toBe('final');
});

test('a step of one queue takes no transaction slot of another queue', async () => {
  const world = makeWorld({ delegates: [forwarderAddress, 'key'], maxInFlight: 1 });
  world.chain.delegate(bob.authorityAddress, forwarderAddress);
  world.mine(3);
  const crowd = await enqueue(world, alice, 40);
  await startCommit(world, alice, 'first as the key');
  const [other] = (await enqueue(world, bob)) as [Attestation];
  // All were created in the same millisecond, so the last in the queue need not be the last created.
  const again = crowd.toSorted((one, other) => (one.id < other.id ? -1 : 1)).at(-1) as Attestation;
  for (const { organizationId, id } of crowd)
    await commitStep(world.services, { organizationId, id, taskToken: `waits ${id}` });
  // While the lane answers settled tasks, a state that timed out runs again.
  const succeed: Executions['succeed'] = async (token, output) => {
    await world.executions.succeed(token, output);
    await commitStep(world.services, { ...again, taskToken: `again, after ${token}` });
  };
  const services = { ...world.services, executions: override<Executions>(world.executions, { succeed }) };
  for (let block = 0; block < 20; block++) {
    world.mine();
    await tick(world, services);
  }
  expect((await world.row(other)).commitPhase).not.toBe('queued');
});

test('a run with an interrupted dispatch neither ends early nor exceeds the history limit', async () => {
  const { world } = await twoQueues();
  const { run } = await stateOf(world);
  const input = { lane: world.lane, run };
  expect(await advance(world.services, { ...input, turn: 0 })).toMatchObject({ turn: 1, done: false });
  expect((await advance(world.services, { ...input, turn: 499 })).done).toBe(true);
  expect((await stateOf(world)).run).toBe(run + 1);
});

test('a lane whose signer has another key assigns no nonces, and its queue is sent once another signer is active', async () => {
  const world = makeWorld({ forwarder: true });
  const { services, records, queue } = world;
  const second = addKey(world);
  await activateSigner(services, chainId, second);
  // The key's id now leads to another key.
  world.signers.set('second', new FakeSigner(`0x${'c3'.repeat(32)}`));
  await enqueue(world, alice);
  await expect(dispatchQueue(services, queue)).rejects.toThrow(SignerMismatchError);
  expect(await findLaneState(records, laneName(chainId, second.address))).toMatchObject({ nextNonce: 0 });
  expect(await listOperations(services, queue, 10)).toHaveLength(1);

  await activateSigner(services, chainId, { address: world.signer.address });
  await dispatchQueue(services, queue);
  world.mine();
  expect(minedCalls(world)).toEqual(['commit']);
});

test('a lane binds nothing while setting changes are unread, and settles what it sent', async () => {
  const world = makeWorld();
  const { chain } = world;
  const first = await startCommit(world, alice, 'first');
  chain.settingsUnread = true;
  const second = await startCommit(world, bob, 'second');
  await mineAndTick(world, chain.settings.confirmations + 1);
  expect([(await world.row(first)).commitPhase, (await world.row(second)).commitPhase]).toEqual([
    'final',
    'queued',
  ]);
  expect(await stateOf(world)).toMatchObject({ nextNonce: 1, finalNonce: 1 });
  chain.settingsUnread = false;
  await tick(world);
  expect(await unsettledTransactions(world)).toMatchObject([{ nonce: 1, attempts: [{}] }]);
});

test('a stuck transaction is resent without higher fees while setting changes are unread', async () => {
  const world = makeWorld();
  const { chain } = world;
  chain.forgetsSent = true;
  const row = await startCommit(world, alice);
  chain.settingsUnread = true;
  await mineAndTick(world, 29);
  expect(await unsettledTransactions(world)).toMatchObject([{ nonce: 0, attempts: [{}] }]);
  chain.forgetsSent = false;
  await mineAndTick(world, 3);
  expect((await world.row(row)).commitPhase).toBe('mined');
});

test('a transaction left unsigned by a crash is signed once setting changes are read', async () => {
  const world = makeWorld();
  const { chain, signer } = world;
  const sign = signer.sign;
  signer.sign = () => Promise.reject(new Error('crash'));
  await startCommit(world, alice);
  signer.sign = sign;
  chain.settingsUnread = true;
  await mineAndTick(world, 3);
  expect(await unsettledTransactions(world)).toMatchObject([{ nonce: 0, attempts: [] }]);
  chain.settingsUnread = false;
  await tick(world);
  expect(await unsettledTransactions(world)).toMatchObject([{ nonce: 0, attempts: [{}] }]);
});
