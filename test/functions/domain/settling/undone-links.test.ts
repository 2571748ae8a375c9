import { keccak256, toHex } from 'viem';
import { expect, test } from 'vitest';
import { activateSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { pauseLane, resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import type { Reorg } from '../../../fakes/chain/simulated-blocks.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import { addKey } from '../../../fakes/world/steps.ts';
import { alice, bob, chainId } from '../../../fakes/world/world.ts';

test('an older link undone by a deep reorg is settled again although a newer one is queued', async () => {
  const service = runService(undefined, { confirmations: 3 });
  const { world, services, untilIdle, finishAndCheck, queue } = service;
  const rows = await Promise.all(['a', 'b', 'c'].map((text) => service.post(alice, text)));
  const [parent, first, second] = rows.map(({ attestation }) => attestation);
  if (!parent || !first || !second) throw new Error('an attestation is missing');
  expect(await untilIdle()).toBe(true);
  const height = world.chain.newest.number;
  await linkChild(services, parent, first.id);
  expect(await untilIdle()).toBe(true);

  // The older link is undone, and is final again while the newer one is still queued.
  await pauseLane(services, world.lane);
  await linkChild(services, parent, second.id);
  world.chain.reorganize(world.chain.newest.number - height, { drop: true });
  await queue.until(async () => false, 180);
  expect(await world.lanes()).toMatchObject([{ nextNonce: 7, finalNonce: 7 }]);
  await resumeLane(services, world.lane);
  await finishAndCheck();
});

const reorgs: readonly Reorg[] = [{ drop: true }, {}];
const authors = [alice, bob].map(({ authorityAddress }) => authorityAddress);

test.each(reorgs.flatMap((how) => authors.map((author) => ({ how, author }))))(
  'a link of another lane is repeated with the index that its attestation has after a deep reorg: %j',
  async ({ how, author }) => {
    const service = runService(undefined, { confirmations: 3, forwarder: true });
    const { world, services, queue, untilIdle, finishAndCheck } = service;
    const second = addKey(world);
    world.chain.mine(1);
    const height = world.chain.newest.number;
    const { attestation: parent } = await service.post(alice, 'parent');
    const { attestation: child } = await service.post(alice, 'child');
    expect(await untilIdle()).toBe(true);
    await activateSigner(services, chainId, second);
    await linkChild(services, parent, child.id);
    expect(await untilIdle()).toBe(true);

    world.chain.reorganize(world.chain.newest.number - height, how);
    world.chain.attest(author, keccak256(toHex('comes before')));
    await queue.until(async () => false, 300);
    await finishAndCheck(4 * 3600);
  },
);

test('a link uses the index of an attestation that its authority made itself after a deep reorg', async () => {
  const service = runService(undefined, { confirmations: 3 });
  const { world, services, queue, untilIdle } = service;
  const { attestation: child } = await service.post(alice, 'child');
  expect(await untilIdle()).toBe(true);
  const height = world.chain.newest.number;
  const { attestation: parent } = await service.post(alice, 'parent');
  expect(await untilIdle()).toBe(true);
  await pauseLane(services, world.lane);
  await linkChild(services, parent, child.id);
  // Commit and reveal are now in one block, which is too early, so the reveal waits again.
  world.chain.reorganize(world.chain.newest.number - height, {});
  await queue.until(async () => false, 180);
  world.chain.attest(alice.authorityAddress, keccak256(toHex('comes before')));
  world.chain.attest(alice.authorityAddress, parent.digest);
  await queue.until(async () => false, 60);
  await resumeLane(services, world.lane);
  await queue.until(async () => false, 300);
  expect(await untilIdle(4 * 3600)).toBe(true);
  const { attestationIndex } = await world.chain.registry.registryState(parent);
  expect(await world.row(parent)).toMatchObject({
    attestationIndex,
    linkPhase: 'final',
    revealPhase: 'unneeded',
  });
  const { registry } = world.chain.newest;
  const children = [1, 2, 3].map((index) => registry.entry(index).childDigest);
  expect(children).toEqual([undefined, undefined, child.digest]);
});
