import { expect, test } from 'vitest';
import { checkConfirmedOnce, watchSends } from '../../fakes/checks/outcome-checks.ts';
import { type FaultKind, FaultPlan } from '../../fakes/ports/faults.ts';
import { runService } from '../../fakes/world/running-service.ts';
import { alice } from '../../fakes/world/world.ts';

/** Longer than any wait: a lost wake-up costs a task's time-out, a lost execution two sweeps. */
const lifeSeconds = 3600;

async function live(plan: FaultPlan): Promise<void> {
  const service = runService(plan);
  watchSends(service.world);
  const { attestation } = await service.postUntilAnswered(alice, 'An article.');
  expect(await service.untilTerminal(attestation, lifeSeconds)).toBe(true);
  await checkConfirmedOnce(service.world, attestation);
  expect(await service.untilIdle(lifeSeconds)).toBe(true);
}

test('an attestation is confirmed when nothing goes wrong', async () => {
  const plan = new FaultPlan();
  await live(plan);
  expect(plan.calls.length).toBeGreaterThan(50);
});

test.each<FaultKind>(['killed before', 'killed after', 'refused', 'answer lost'])(
  'an attestation is confirmed exactly once whichever call of a port is %s',
  async (kind) => {
    for (let at = 0; ; at++) {
      const plan = new FaultPlan(at, kind);
      await live(plan).catch((cause) => {
        throw new Error(`${kind} at call ${at}, ${plan.calls[at]}`, { cause });
      });
      if (!plan.happened) break;
    }
  },
);
