import { expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { pauseLane, resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import type { Caller } from '../../../../functions/domain/organization/api-keys.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import { addPublisher, enqueue, mineAndTick, stateOf } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

/** Counts transactions until the only operation of a late organization is bound, while the others have many. */
async function transactionsUntilLast(world: World, organizations: number): Promise<number> {
  const callers = Array.from({ length: organizations }, (_, n) => addPublisher(world, n));
  world.mine(world.chain.settings.confirmations);
  for (const caller of callers.slice(0, -1)) await enqueue(world, caller, 30);
  await mineAndTick(world, 2);
  const { nextNonce } = await stateOf(world);
  const [late] = await enqueue(world, callers.at(-1) as Caller, 1);
  await mineAndTick(world, 16);
  const { commitTxHash } = await world.row(late as Attestation);
  const nonce = world.chain.receipts().find(({ hash }) => hash === commitTxHash)?.nonce;
  return nonce === undefined ? Number.POSITIVE_INFINITY : nonce - nextNonce + 1;
}

test.each([
  { maxInFlight: 4, organizations: 2 },
  { maxInFlight: 1, organizations: 9 },
])('$organizations organizations take turns without a forwarder, $maxInFlight in flight', async (given) => {
  const { maxInFlight, organizations } = given;
  const maxTransactions = organizations;
  expect(await transactionsUntilLast(makeWorld({ maxInFlight }), organizations)).toBeLessThanOrEqual(
    maxTransactions,
  );
});

test('12 organizations take turns through a forwarder, 8 calls per transaction', async () => {
  const world = makeWorld({ forwarder: true, maxInFlight: 1 });
  world.chain.gasPerOperation = 1_700_000n;
  expect(await transactionsUntilLast(world, 12)).toBeLessThanOrEqual(2);
});

const blockTimeSeconds = 12;

/** Seconds that commits of another organization wait behind many due reveals. */
async function secondsWaited(batches: boolean): Promise<number[]> {
  const service = runService(undefined, {
    ...{ batches, forwarder: true, blockTimeSeconds, revealDelaySeconds: 60 },
    // One transaction at a time, whose maximum fee pays for only a part of the reveals of a commit.
    ...{ maxInFlight: 1, maxTransactionFee: 0.025 },
    limits: { attestationsPerDay: 10_000, linksPerDay: 100, inFlight: 10_000 },
  });
  const { world, services, queue } = service;
  await pauseLane(services, world.lane);
  for (let n = 0; n < 240; n++) await service.post(alice, `article ${n}`);
  await queue.until(async () => false, 30);
  await resumeLane(services, world.lane);
  const waited: number[] = [];
  for (let n = 0; n < 12; n++) {
    const postedAt = world.clock.now().getTime();
    const { attestation } = await service.post(bob, `late ${n}`);
    await queue.until(async () => (await world.row(attestation)).status !== 'pending', 36_000);
    waited.push((world.clock.now().getTime() - postedAt) / 1000);
  }
  await service.finishAndCheck(72_000);
  return waited;
}

test.each([{ batches: true }, { batches: false }])(
  'due reveals delay another organization’s commits by a few blocks only: %o',
  async ({ batches }) => {
    for (const seconds of await secondsWaited(batches))
      expect(seconds).toBeLessThanOrEqual(6 * blockTimeSeconds);
  },
);
