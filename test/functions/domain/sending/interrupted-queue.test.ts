import { expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { readLaneStatus } from '../../../../functions/domain/operator/read-lane-status.ts';
import type { Caller } from '../../../../functions/domain/organization/api-keys.ts';
import type { Executions } from '../../../../functions/domain/services.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { queueOperation } from '../../../../functions/domain/steps/enter-step.ts';
import { overriding } from '../../../fakes/ports/overriding.ts';
import { committing, mineAndTick, stateOf } from '../../../fakes/world/steps.ts';
import { alice, bob, forwarderAddress, makeWorld, type World } from '../../../fakes/world/world.ts';

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
  await mineAndTick(world, 5);
  expect((await world.row(other)).commitPhase).toBe('final');
  expect((await readLaneStatus(world.services, world.lane)).waitingFor).toBe(
    `the forwarder ${forwarderAddress}, whose owner has to make the key its operator`,
  );
  world.chain.setOperator(forwarderAddress, world.signer.address);
  await mineAndTick(world, 5);
  expect((await world.row(refused)).commitPhase).toBe('final');
});

test('a step of one queue takes no place whose turn is the other queue’s', async () => {
  const world = makeWorld({ delegates: [forwarderAddress, 'key'], maxInFlight: 1 });
  world.chain.delegate(bob.authorityAddress, forwarderAddress);
  world.mine(3);
  const crowd: Attestation[] = [];
  for (let number = 0; number < 40; number++) crowd.push(await queued(world, alice, `as the key ${number}`));
  await committing(world, alice, 'first as the key');
  const other = await queued(world, bob, 'through the forwarder');
  // Of the same millisecond: the last in the queue, not the last created.
  const again = crowd.toSorted((one, other) => (one.id < other.id ? -1 : 1)).at(-1) as Attestation;
  for (const { organizationId, id } of crowd)
    await commitStep(world.services, { organizationId, id, taskToken: `waits ${id}` });
  // While the lane answers the tasks it settled for, a state whose time-out has passed enters again.
  const succeed: Executions['succeed'] = async (token, output) => {
    await world.executions.succeed(token, output);
    await commitStep(world.services, { ...again, taskToken: `again, after ${token}` });
  };
  const services = { ...world.services, executions: overriding<Executions>(world.executions, { succeed }) };
  for (let block = 0; block < 20; block++) {
    world.mine();
    await advance(services, { lane: world.lane, run: (await stateOf(world)).run, turn: 0 });
  }
  expect((await world.row(other)).commitPhase).not.toBe('queued');
});

test('a run whose dispatch is interrupted neither ends early nor outlives its history', async () => {
  const { world } = await twoQueues();
  const { run } = await stateOf(world);
  const input = { lane: world.lane, run };
  expect(await advance(world.services, { ...input, turn: 0 })).toMatchObject({ turn: 1, done: false });
  expect((await advance(world.services, { ...input, turn: 499 })).done).toBe(true);
  expect((await stateOf(world)).run).toBe(run + 1);
});
