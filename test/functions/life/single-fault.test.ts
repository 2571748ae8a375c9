import { expect, test } from 'vitest';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { advance } from '../../../functions/domain/steps/advance-lane.ts';
import { confirmStep } from '../../../functions/domain/steps/confirm.ts';
import { queueOperation } from '../../../functions/domain/steps/enter-step.ts';
import { checkRule, minedCalls, watchSends } from '../../fakes/checks/outcome-checks.ts';
import { type FaultKind, FaultPlan } from '../../fakes/ports/faults.ts';
import { interleave } from '../../fakes/ports/interleave.ts';
import { dispatchQueue } from '../../fakes/world/dispatch-queue.ts';
import { runService } from '../../fakes/world/running-service.ts';
import { cases, soakTimeout } from '../../fakes/world/soak.ts';
import { stateOf } from '../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../fakes/world/world.ts';

/** Longer than any wait: a lost wake-up costs a task's time-out, a lost execution two sweeps. */
const lifeSeconds = 3600;

/** One attestation; or three: the first is sent on its own, the others while it is in flight. */
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
  await service.endsByRule(lifeSeconds);
  const rows = service.world.records.all().filter(({ fields }) => 'commitPhase' in fields);
  expect(rows.map(({ fields }) => fields.status)).toEqual(posts.map(() => 'confirmed'));
  return minedCalls(service.world);
}

const whose = Object.keys(lives) as Who[];

test.each(whose)('%s confirmed without a fault', async (who) => {
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

/** More blocks than two batches take from their commits to the finality of their reveals. */
const maxBlocks = 60;

/** Two senders and a settler at once at every block, on two batches of two, in the order that the seed decides. */
async function liveInOrder(seed: number): Promise<string[]> {
  const world = makeWorld({ batches: true, forwarder: seed % 2 === 0, maxInFlight: 2, confirmations: 2 });
  watchSends(world);
  const { services, queue, lane, chain } = world;
  const rows: Attestation[] = [];
  const post = async (count: number) => {
    for (let n = 0; n < count; n++) {
      const { attestation } = await world.create(n % 2 ? alice : bob, `article ${rows.length}`);
      await queueOperation(services, attestation, 'commit');
      rows.push(attestation);
    }
  };
  await post(2);
  const send = (mortal: Services) => dispatchQueue(mortal, queue);
  const settle = async (mortal: Services) => {
    const { run } = await stateOf(world);
    return advance(mortal, { lane, run, turn: 0 });
  };
  for (let block = 0; block === 0 || (await world.owes()); block++) {
    expect(block).toBeLessThan(maxBlocks);
    await interleave(services, seed + block, [send, settle, send]);
    if (block === 1) await post(2);
    // Some blocks are taken back, some transactions with them.
    if (seed % 3 === 0 && block % 7 === 6) chain.reorganise(1, { drop: seed % 2 === 0 });
    world.mine();
  }
  for (const row of rows) await confirmStep(services, row);
  await checkRule(world);
  return minedCalls(world);
}

test(
  'batches are committed to and revealed once, in any order of two senders and a settler',
  async () => {
    for (let seed = 0; seed < cases(150, 3_000); seed++) {
      const calls = await liveInOrder(seed).catch((cause) => {
        throw new Error(`seed ${seed}`, { cause });
      });
      expect(calls.filter((name) => name === 'revealBatch').length, `seed ${seed}`).toBeGreaterThan(0);
    }
  },
  soakTimeout,
);
