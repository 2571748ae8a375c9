import { expect, test } from 'vitest';
import { pauseLane, resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { checkRule } from '../../../fakes/checks/outcome-checks.ts';
import { runService } from '../../../fakes/world/running-service.ts';
import { alice } from '../../../fakes/world/world.ts';

test('an older link that a deep reorganisation undid is settled again though a newer one is queued', async () => {
  const service = runService(undefined, { confirmations: 3 });
  const { world, services, untilIdle, queue } = service;
  const rows = await Promise.all(['a', 'b', 'c'].map((text) => service.post(alice, text)));
  const [parent, first, second] = rows.map(({ attestation }) => attestation);
  if (!parent || !first || !second) throw new Error('three attestations');
  expect(await untilIdle()).toBe(true);
  const height = world.chain.newest.number;
  await linkChild(services, parent, first.id);
  expect(await untilIdle()).toBe(true);

  // The older link is undone, and is final again while the newer one is still queued.
  await pauseLane(services, world.lane);
  await linkChild(services, parent, second.id);
  world.chain.reorganise(world.chain.newest.number - height, { drop: true });
  await queue.until(async () => false, 180);
  expect(await world.lanes()).toMatchObject([{ nextNonce: 7, finalNonce: 7 }]);
  await resumeLane(services, world.lane);
  expect(await untilIdle()).toBe(true);
  await checkRule(world);
});
