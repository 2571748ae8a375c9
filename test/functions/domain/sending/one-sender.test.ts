import { expect, test } from 'vitest';
import { commitStep } from '../../../../functions/domain/steps/commit.ts';
import { behind } from '../../../fakes/ports/behind.ts';
import { interleave } from '../../../fakes/ports/interleave.ts';
import { alice, makeWorld } from '../../../fakes/world/world.ts';

/** Runs the Commit states of so many posts at once, and counts what they take. */
async function postedAtOnce(posts: number, seed: number) {
  const world = makeWorld({ maxInFlight: 16 });
  const rows = [];
  for (let post = 0; post < posts; post++)
    rows.push((await world.create(alice, `article ${post}`)).attestation);
  const counts = { simulations: 0, lostWrites: 0, sends: 0 };
  const counted = behind(world.services, async (name, effect) => {
    const answer = await effect();
    if (name === 'chain.simulate') counts.simulations++;
    if (name === 'records.update' && answer === undefined) counts.lostWrites++;
    if (name === 'records.transact' && answer === false) counts.lostWrites++;
    if (name === 'chain.send') counts.sends++;
    return answer;
  });
  await interleave(
    counted,
    seed,
    rows.map(
      ({ organizationId, id }) =>
        (services) =>
          commitStep(services, { organizationId, id, taskToken: id }),
    ),
  );
  return { world, counts };
}

test.each([1, 2, 3, 4])('of many that send at once one does, and the others leave: seed %i', async (seed) => {
  const { counts } = await postedAtOnce(100, seed);
  expect(counts.sends).toBe(16);
  expect(counts.simulations).toBeLessThanOrEqual(1.5 * counts.sends);
  expect(counts.lostWrites).toBeLessThanOrEqual(1.5 * counts.sends);
});
