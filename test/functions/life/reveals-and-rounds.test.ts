import { expect, test } from 'vitest';
import { pauseLane, resumeLane } from '../../../functions/domain/operator/lane-control.ts';
import { checkRule } from '../../fakes/checks/outcome-checks.ts';
import { runService } from '../../fakes/world/running-service.ts';
import { alice, bob } from '../../fakes/world/world.ts';

const blockTimeSeconds = 12;

/** Seconds that commits of another organisation wait behind many attestations that are all about to be revealed. */
async function waits(batches: boolean): Promise<number[]> {
  const service = runService(undefined, {
    ...{ batches, forwarder: true, blockTimeSeconds, revealDelaySeconds: 60 },
    // A transaction at a time, and of a batch's reveal only a part fits one.
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
    const at = world.clock.now().getTime();
    const { attestation } = await service.post(bob, `late ${n}`);
    await queue.until(async () => (await world.row(attestation)).status !== 'pending', 36_000);
    waited.push((world.clock.now().getTime() - at) / 1000);
  }
  expect(await service.untilIdle(72_000)).toBe(true);
  await checkRule(world);
  return waited;
}

test.each([{ batches: true }, { batches: false }])(
  'reveals that are due hold up the commits of another organisation for a few blocks: %o',
  async ({ batches }) => {
    for (const seconds of await waits(batches)) expect(seconds).toBeLessThanOrEqual(6 * blockTimeSeconds);
  },
  60_000,
);
