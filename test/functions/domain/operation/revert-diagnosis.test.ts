import { expect, test } from 'vitest';
import { NotYetFinalError } from '../../../../functions/domain/errors.ts';
import { listOperations } from '../../../../functions/domain/lane/queue-records.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { attested, mineAndTick, tick } from '../../../fakes/world/steps.ts';
import { alice, makeWorld, type World } from '../../../fakes/world/world.ts';

const { authorityAddress } = alice;

const delegateAgain = ({ chain, delegateAddress }: World) =>
  chain.delegate(authorityAddress, delegateAddress);

/** Makes the delegation so new that the final block does not show it. */
function delegateNewly(world: World): void {
  world.chain.revokeDelegation(authorityAddress);
  world.mine(world.chain.settings.confirmations);
  delegateAgain(world);
  world.clock.moveTo(new Date(world.chain.newest.timestamp * 1000));
}

test('a final block from before the link was asked for does not refuse it', async () => {
  const world = makeWorld({ confirmations: 8 });
  const parent = await attested(world, alice, 'the old article');
  const { attestation: child } = await world.create(alice, 'the new article');
  delegateNewly(world);
  await linkChild(world.services, parent, child.id);
  world.chain.revokeDelegation(authorityAddress);
  await tick(world);
  expect((await world.row(parent)).linkPhase).toBe('queued');
  expect(await listOperations(world, world.queue, 10)).toHaveLength(1);
  delegateAgain(world);
  await mineAndTick(world, 12);
  expect(await world.row(parent)).toMatchObject({ linkPhase: 'final' });
});

test('a final block from before the request does not refuse it', async () => {
  const world = makeWorld({ confirmations: 8 });
  delegateNewly(world);
  const { attestation } = await world.create(alice, 'An article.');
  const { organizationId, id } = attestation;
  const enter = () => commitStep(world.services, { organizationId, id, taskToken: 'commit' });
  world.chain.revokeDelegation(authorityAddress);
  await expect(enter()).rejects.toThrow(NotYetFinalError);
  expect((await world.row(attestation)).status).toBe('pending');
  delegateAgain(world);
  await enter();
  await mineAndTick(world);
  expect((await world.row(attestation)).status).toBe('committed');
});
