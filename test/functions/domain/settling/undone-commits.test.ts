import { expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { OperationBoundError } from '../../../../functions/domain/errors.ts';
import { pauseLane, resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { failAttestation } from '../../../../functions/domain/steps/fail.ts';
import { checkConfirmedOnce } from '../../../fakes/checks/outcome-checks.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import { mineAndTick, reveal, startCommit, tick } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

/** Queues a reveal, undoes its commit by a reorg, and lets the commit revert afterwards. */
async function queueWithoutCommit(changeChain: (world: World, row: Attestation) => void) {
  const world = makeWorld({ confirmations: 8, revealDelaySeconds: 4 });
  const row = await startCommit(world, alice);
  const before = world.chain.newest.number;
  await mineAndTick(world);
  changeChain(world, row);
  await mineAndTick(world, 3);
  await pauseLane(world.services, world.lane);
  await reveal(world, row);
  world.chain.revertsAll = true;
  world.chain.reorganize(world.chain.newest.number - before, { drop: true });
  await tick(world);
  expect(await world.row(row)).toMatchObject({ commitPhase: 'queued', revealPhase: 'queued' });
  await mineAndTick(world, 10);
  world.chain.revertsAll = false;
  await resumeLane(world.services, world.lane);
  await mineAndTick(world, 2);
  return { world, row: await world.row(row) };
}

test('an internal error does not fail an attestation whose commit may be sent again', async () => {
  const world = makeWorld({ confirmations: 8, revealDelaySeconds: 4 });
  const row = await startCommit(world, alice);
  await mineAndTick(world, 4);
  await pauseLane(world.services, world.lane);
  await reveal(world, row);
  const fail = () => failAttestation(world.services, row, 'internal error');
  await expect(fail()).rejects.toThrow(OperationBoundError);
  expect(await world.row(row)).toMatchObject({ status: 'committed', commitPhase: 'mined' });
  // Once the commit is final, the attestation can fail.
  await mineAndTick(world, 10);
  await fail();
  expect(await world.row(row)).toMatchObject({
    status: 'failed',
    commitPhase: 'final',
    revealPhase: 'refused',
  });
});

test('an undone commit that is no longer needed makes its reveal unneeded too', async () => {
  const { world, row } = await queueWithoutCommit(({ chain }, { digest }) => {
    chain.attest(alice.authorityAddress, digest);
  });
  expect(row).toMatchObject({ commitPhase: 'unneeded', revealPhase: 'unneeded' });
  expect(await world.owes()).toBe(false);
});

test('an undone commit that is no longer possible fails its reveal for the same reason', async () => {
  const { world, row } = await queueWithoutCommit(({ chain }) =>
    chain.revokeDelegation(alice.authorityAddress),
  );
  expect(row).toMatchObject({ status: 'failed', commitPhase: 'refused', revealPhase: 'refused' });
  expect(row.error).toContain('delegation of');
  expect(await world.owes()).toBe(false);
});

test('an abandoned commit of a batch ends the reveal of its member', async () => {
  const world = makeWorld({ batches: true, confirmations: 8, revealDelaySeconds: 4 });
  await pauseLane(world.services, world.lane);
  const rows = [await startCommit(world, alice), await startCommit(world, bob)];
  const before = world.chain.newest.number;
  await resumeLane(world.services, world.lane);
  await mineAndTick(world, 2);
  await pauseLane(world.services, world.lane);
  world.chain.revertsAll = true;
  world.chain.reorganize(world.chain.newest.number - before, { drop: true });
  await mineAndTick(world, 12);
  world.chain.revertsAll = false;
  const [first] = await Promise.all(rows.map(world.row));
  if (!first) throw new Error('there is no row');
  expect(first).toMatchObject({ commitPhase: 'queued', revealPhase: 'queued' });
  await failAttestation(world.services, first, 'internal error');
  await resumeLane(world.services, world.lane);
  await mineAndTick(world, 30);
  expect(await world.row(first)).toMatchObject({ commitPhase: 'refused', revealPhase: 'refused' });
  expect(await world.owes()).toBe(false);
});

test('the row shows a reveal that succeeds after a deep reorg, even if the content was found attested before', async () => {
  const { world, services, post, queue, untilIdle } = runService(undefined, { confirmations: 3 });
  const { chain } = world;
  const { attestation } = await post(alice, 'a');
  const row = () => world.row(attestation);
  const until = async (holds: () => Promise<boolean>) => expect(await queue.until(holds, 600)).toBe(true);
  await until(async () => (await row()).commitPhase === 'final');
  const height = chain.newest.number;
  chain.revertsAll = true;
  await until(async () => (await world.lanes())[0]?.nextNonce === 2);
  await pauseLane(services, world.lane);
  await until(async () => (await world.lanes())[0]?.finalNonce === 2);
  expect(await world.owes()).toBe(true);

  // The reveal succeeds when mined again, but no node shows its receipt before the content is found attested.
  chain.revertsAll = false;
  chain.hidesReceipts = true;
  chain.reorganize(chain.newest.number - height, { remine: true, delaySeconds: 1 });
  await queue.until(async () => false, 120);
  await resumeLane(services, world.lane);
  await until(async () => (await row()).revealPhase === 'unneeded');
  chain.hidesReceipts = false;
  await queue.until(async () => false, 150);
  expect(await untilIdle()).toBe(true);
  await checkConfirmedOnce(world, attestation);
});
