import { expect, test } from 'vitest';
import { advance } from '../../../functions/domain/advance.ts';
import { queueOperation } from '../../../functions/domain/enter-step.ts';
import { laneStatus } from '../../../functions/domain/lane-status-read.ts';
import type { Caller } from '../../../functions/domain/organization.ts';
import { mineAndTurn, stateOf } from '../../fakes/steps.ts';
import { alice, bob, forwarderAddress, makeWorld, type World } from '../../fakes/world.ts';

/** Alice delegates to a forwarder that does not know the key, Bob to the key itself. */
async function twoQueues() {
  const world = makeWorld({ forwarder: true, delegates: [forwarderAddress, 'key'] });
  world.chain.delegate(bob.authorityAddress, world.signer.address);
  world.mine(3);
  world.chain.setOperator(forwarderAddress, world.signer.address, false);
  const refused = await queued(world, alice, 'to a forwarder that does not know the key');
  return { world, refused };
}

async function queued(world: World, caller: Caller, text: string) {
  const { attestation } = await world.create(caller, text);
  await queueOperation(world.services, attestation, 'commit');
  return attestation;
}

test('a queue that cannot be tried holds up no other, and goes on once it can', async () => {
  const { world, refused } = await twoQueues();
  const other = await queued(world, bob, 'as the key itself');
  await mineAndTurn(world, 5);
  expect((await world.row(other)).commitPhase).toBe('final');
  expect((await laneStatus(world.services, world.lane)).waitingFor).toBe(
    `the forwarder ${forwarderAddress}, whose owner has to make the key its operator`,
  );
  world.chain.setOperator(forwarderAddress, world.signer.address);
  await mineAndTurn(world, 5);
  expect((await world.row(refused)).commitPhase).toBe('final');
});

test('a run whose pump is interrupted neither ends early nor outlives its history', async () => {
  const { world } = await twoQueues();
  const { run } = await stateOf(world);
  const input = { lane: world.lane, run };
  expect(await advance(world.services, { ...input, turn: 0 })).toMatchObject({ turn: 1, done: false });
  expect((await advance(world.services, { ...input, turn: 499 })).done).toBe(true);
  expect((await stateOf(world)).run).toBe(run + 1);
});
