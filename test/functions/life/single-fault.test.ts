import { expect, test } from 'vitest';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { advance } from '../../../functions/domain/steps/advance-lane.ts';
import { confirmStep } from '../../../functions/domain/steps/confirm.ts';
import { queueOperation } from '../../../functions/domain/steps/enter-step.ts';
import { checkOutcomes, minedCalls, watchSends } from '../../fakes/checks/outcome-checks.ts';
import { type FaultKind, FaultPlan } from '../../fakes/ports/faults.ts';
import { interleave } from '../../fakes/ports/interleave.ts';
import { dispatchQueue } from '../../fakes/world/dispatch-queue.ts';
import { runService } from '../../fakes/world/running-service.ts';
import { caseCount } from '../../fakes/world/soak.ts';
import { stateOf } from '../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../fakes/world/world.ts';

/** Longer than any wait: a lost wake-up costs the timeout of a task, and a lost execution costs two sweeps. */
const lifeSeconds = 3600;

/** One attestation, or three: the first is sent on its own, the others while it is in flight. */
const scenarios = {
  'an attestation is': { options: {}, posts: [[alice, 'An article.']], calls: ['commit', 'reveal'] },
  'the members of a batch are': {
    options: { batches: true, maxInFlight: 1, revealDelaySeconds: 5 },
    posts: [
      [alice, 'An article.'],
      [bob, 'Another.'],
      [alice, 'A third.'],
    ],
    calls: ['commit', 'commit', 'reveal', 'revealBatch'],
  },
} as const;

type Scenario = keyof typeof scenarios;

async function runScenario(scenario: Scenario, plan: FaultPlan, forwarder = false): Promise<string[]> {
  const { options, posts } = scenarios[scenario];
  const service = runService(plan, { ...options, forwarder });
  watchSends(service.world);
  for (const [caller, text] of posts) {
    const { attestation } = await service.postUntilAnswered(caller, text);
    if (posts.length === 1) await service.untilTerminal(attestation, lifeSeconds);
  }
  await service.finishAndCheck(lifeSeconds);
  const rows = service.world.records.all().filter(({ fields }) => 'commitPhase' in fields);
  expect(rows.map(({ fields }) => fields.status)).toEqual(posts.map(() => 'confirmed'));
  return minedCalls(service.world);
}

const scenarioNames = Object.keys(scenarios) as Scenario[];

test.each(scenarioNames)('%s confirmed without a fault', async (scenario) => {
  const plan = new FaultPlan();
  expect((await runScenario(scenario, plan)).sort()).toEqual(scenarios[scenario].calls);
  expect(plan.calls.length).toBeGreaterThan(50);
});

const kinds: readonly FaultKind[] = ['killed before', 'killed after', 'refused', 'answer lost'];

test.each(scenarioNames.flatMap((scenario) => kinds.map((kind) => [scenario, kind] as const)))(
  '%s confirmed exactly once whichever call of a port has this fault: %s',
  async (scenario, kind) => {
    for (let call = 0; ; call++) {
      const plan = new FaultPlan(call, kind);
      await runScenario(scenario, plan, call % 2 === 0).catch((cause) => {
        throw new Error(`${kind} at call ${call}, ${plan.calls[call]}`, { cause });
      });
      if (!plan.happened) break;
    }
  },
);

/** More blocks than two batches need from their commits until their reveals are final. */
const maxBlocks = 60;

/** Runs two senders and a settler concurrently at every block, on two batches of two, in an order set by the seed. */
async function runBatchesInOrder(seed: number): Promise<string[]> {
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
  const send = (faulty: Services) => dispatchQueue(faulty, queue);
  const settle = async (faulty: Services) => {
    const { run } = await stateOf(world);
    return advance(faulty, { lane, run, turn: 0 });
  };
  for (let block = 0; block === 0 || (await world.owes()); block++) {
    expect(block).toBeLessThan(maxBlocks);
    await interleave(services, seed + block, [send, settle, send]);
    if (block === 1) await post(2);
    // Some blocks are replaced, and some of their transactions dropped.
    if (seed % 3 === 0 && block % 7 === 6) chain.reorganize(1, { drop: seed % 2 === 0 });
    world.mine();
  }
  for (const row of rows) await confirmStep(services, row);
  await checkOutcomes(world);
  return minedCalls(world);
}

test('batches are committed and revealed once, in any order of two senders and a settler', async () => {
  for (let seed = 0; seed < caseCount(150, 3_000); seed++) {
    const calls = await runBatchesInOrder(seed).catch((cause) => {
      throw new Error(`seed ${seed}`, { cause });
    });
    expect(calls.filter((name) => name === 'revealBatch').length, `seed ${seed}`).toBeGreaterThan(0);
  }
});
