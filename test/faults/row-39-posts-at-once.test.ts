import { expect, test } from 'vitest';
import { commitStep } from '../../functions/domain/steps/commit.ts';
import { behind } from '../fakes/ports/behind.ts';
import { interleave } from '../fakes/ports/interleave.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf } from './world/served.ts';
import { beginStepwise } from './world/stepwise.ts';

const posts = 24;
const maxInFlight = 8;

test('row 39: of many steps that send at once one does, and the others leave', async () => {
  const begun = await beginStepwise({ batches: false, maxInFlight });
  const { world } = begun;
  const rows = [];
  for (let post = 0; post < posts; post++) {
    rows.push((await world.create(post % 2 ? alice : bob, `article ${post}`)).attestation);
  }
  const counts = { simulations: 0, lostWrites: 0, sends: 0 };
  const counted = behind(world.services, async (call, effect) => {
    const answer = await effect();
    if (call === 'chain.simulate') counts.simulations++;
    if (call === 'chain.send') counts.sends++;
    const isLost = call === 'records.update' ? answer === undefined : answer === false;
    if (call.startsWith('records.') && isLost) counts.lostWrites++;
    return answer;
  });
  const steps = rows.map(
    ({ organizationId, id }) =>
      (services: typeof counted) =>
        commitStep(services, { organizationId, id, taskToken: id }),
  );
  await interleave(counted, 1, steps);
  expect(counts.sends).toBe(maxInFlight);
  expect(counts.simulations).toBeLessThanOrEqual(1.5 * counts.sends);
  // Each of them is sent in the end, and this is all that it lost until then.
  expect(counts.lostWrites).toBeLessThanOrEqual(1.5 * posts);
  expect(await laneOf(world)).toMatchObject({ nextNonce: maxInFlight });
  await begun.endsByRule();
});
