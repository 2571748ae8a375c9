import { expect, test } from 'vitest';
import { checkRule, minedCalls, watchSends } from '../../fakes/checks/outcome-checks.ts';
import { type FaultKind, FaultPlan } from '../../fakes/ports/faults.ts';
import { runService } from '../../fakes/world/running-service.ts';
import { alice, bob } from '../../fakes/world/world.ts';

/** Longer than any wait: a lost wake-up costs a task's time-out, a lost execution two sweeps. */
const lifeSeconds = 3600;

/** Of three attestations the first goes alone, and the other two while it is in flight. */
async function live(plan: FaultPlan, forwarder: boolean): Promise<void> {
  const service = runService(plan, { batches: true, maxInFlight: 1, forwarder, revealDelaySeconds: 5 });
  watchSends(service.world);
  const posted = [
    await service.postUntilAnswered(alice, 'An article.'),
    await service.postUntilAnswered(bob, 'Another.'),
    await service.postUntilAnswered(alice, 'A third.'),
  ];
  for (const { attestation } of posted)
    expect(await service.untilTerminal(attestation, lifeSeconds)).toBe(true);
  expect(await service.untilIdle(lifeSeconds)).toBe(true);
  await checkRule(service.world);
  const rows = await Promise.all(posted.map(({ attestation }) => service.world.row(attestation)));
  expect(rows.map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'confirmed']);
}

test('two attestations are confirmed as a batch when nothing goes wrong', async () => {
  const service = runService(undefined, { batches: true, maxInFlight: 1 });
  for (const [caller, text] of [
    [alice, 'a'],
    [bob, 'b'],
    [alice, 'c'],
  ] as const)
    await service.post(caller, text);
  expect(await service.untilIdle()).toBe(true);
  expect(minedCalls(service.world)).toContain('revealBatch');
});

test.each<FaultKind>(['killed before', 'killed after', 'refused', 'answer lost'])(
  'the members of a batch are confirmed exactly once whichever call of a port is %s',
  async (kind) => {
    for (let at = 0; ; at++) {
      const plan = new FaultPlan(at, kind);
      await live(plan, at % 2 === 0).catch((cause) => {
        throw new Error(`${kind} at call ${at}, ${plan.calls[at]}`, { cause });
      });
      if (!plan.happened) break;
    }
  },
);
