import { expect, test } from 'vitest';
import { listOperations } from '../../../../functions/domain/lane/queue-records.ts';
import { resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { attested, committing, mineAndTick, stateOf, tick } from '../../../fakes/world/steps.ts';
import { alice, makeWorld, type World } from '../../../fakes/world/world.ts';

/** Somebody else uses the nonce of what the lane has sent last, until that is final. */
async function loseNonce(world: World): Promise<void> {
  world.chain.mempool.drop((await stateOf(world)).nextNonce - 1);
  world.chain.spendNonce(world.signer.address);
  await mineAndTick(world, world.chain.settings.confirmations);
  expect((await stateOf(world)).paused).toBeDefined();
}

const queued = (world: World) => listOperations(world, world.queue, 10);

test('what was never tried has not reverted, however often its nonce is lost', async () => {
  const world = makeWorld();
  const row = await committing(world, alice);
  for (let time = 0; time < 5; time++) {
    await loseNonce(world);
    const [operation] = await queued(world);
    expect(operation?.reverts ?? 0).toBe(0);
    await resumeLane(world.services, world.lane);
    await tick(world);
  }
  await mineAndTick(world, world.chain.settings.confirmations);
  expect(await world.row(row)).toMatchObject({ status: 'committed', commitPhase: 'final' });
});

test('a link whose nonce is lost is made again, though the registry holds its attestation', async () => {
  const world = makeWorld();
  const parent = await attested(world, alice, 'the old article');
  const { attestation: child } = await world.create(alice, 'the new article');
  await linkChild(world.services, parent, child.id);
  await tick(world);
  await loseNonce(world);
  expect(await queued(world)).toHaveLength(1);
  await resumeLane(world.services, world.lane);
  await tick(world);
  await mineAndTick(world, world.chain.settings.confirmations);
  expect(await world.row(parent)).toMatchObject({ linkPhase: 'final' });
  expect(world.chain.state.entry(parent.attestationIndex ?? 0).childDigest).toBe(child.digest);
});
