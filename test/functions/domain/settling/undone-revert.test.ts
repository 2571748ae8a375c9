import { expect, test } from 'vitest';
import { pauseLane, resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { checkConfirmedOnce } from '../../../fakes/checks/outcome-checks.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import { alice } from '../../../fakes/world/world.ts';

test('a reveal that reverted, and after a deep reorganisation did not, is shown although it was found attested before', async () => {
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

  // Mined again, it succeeds; no node shows its receipt before the queued reveal is found attested.
  chain.revertsAll = false;
  chain.hidesReceipts = true;
  chain.reorganise(chain.newest.number - height, { remine: true, delaySeconds: 1 });
  await queue.until(async () => false, 120);
  await resumeLane(services, world.lane);
  await until(async () => (await row()).revealPhase === 'unneeded');
  chain.hidesReceipts = false;
  await queue.until(async () => false, 150);
  expect(await untilIdle()).toBe(true);
  await checkConfirmedOnce(world, attestation);
});
