import { expect, test } from 'vitest';
import { checkRule, minedCalls, watchSends } from '../../fakes/checks/outcome-checks.ts';
import { type FaultKind, FaultPlan } from '../../fakes/ports/faults.ts';
import { runService } from '../../fakes/world/running-service.ts';
import { alice, bob } from '../../fakes/world/world.ts';

/** Longer than any wait: a lost wake-up costs a task's time-out, a lost execution two sweeps. */
const lifeSeconds = 3600;

/** One attestation; or three, of which the first goes alone, and the other two while it is in flight. */
const lives = {
  'an attestation is': { given: {}, posts: [[alice, 'An article.']], calls: ['commit', 'reveal'] },
  'the members of a batch are': {
    given: { batches: true, maxInFlight: 1, revealDelaySeconds: 5 },
    posts: [
      [alice, 'An article.'],
      [bob, 'Another.'],
      [alice, 'A third.'],
    ],
    calls: ['commit', 'commit', 'reveal', 'revealBatch'],
  },
} as const;

type Who = keyof typeof lives;

async function live(who: Who, plan: FaultPlan, forwarder = false): Promise<string[]> {
  const { given, posts } = lives[who];
  const service = runService(plan, { ...given, forwarder });
  watchSends(service.world);
  for (const [caller, text] of posts) {
    const { attestation } = await service.postUntilAnswered(caller, text);
    if (posts.length === 1) await service.untilTerminal(attestation, lifeSeconds);
  }
  expect(await service.untilIdle(lifeSeconds)).toBe(true);
  await checkRule(service.world);
  const rows = service.world.records.all().filter(({ fields }) => 'commitPhase' in fields);
  expect(rows.map(({ fields }) => fields.status)).toEqual(posts.map(() => 'confirmed'));
  return minedCalls(service.world);
}

const whose = Object.keys(lives) as Who[];

test.each(whose)('%s confirmed when nothing goes wrong', async (who) => {
  const plan = new FaultPlan();
  expect((await live(who, plan)).sort()).toEqual(lives[who].calls);
  expect(plan.calls.length).toBeGreaterThan(50);
});

const kinds: readonly FaultKind[] = ['killed before', 'killed after', 'refused', 'answer lost'];

test.each(whose.flatMap((who) => kinds.map((kind) => [who, kind] as const)))(
  '%s confirmed exactly once whichever call of a port is %s',
  async (who, kind) => {
    for (let at = 0; ; at++) {
      const plan = new FaultPlan(at, kind);
      await live(who, plan, at % 2 === 0).catch((cause) => {
        throw new Error(`${kind} at call ${at}, ${plan.calls[at]}`, { cause });
      });
      if (!plan.happened) break;
    }
  },
  120_000,
);
