import { expect, test } from 'vitest';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { advance } from '../../../functions/domain/steps/advance-lane.ts';
import { confirmStep } from '../../../functions/domain/steps/confirm.ts';
import { queueOperation } from '../../../functions/domain/steps/enter-step.ts';
import { checkRule, minedCalls, watchSends } from '../../fakes/checks/outcome-checks.ts';
import { interleave } from '../../fakes/ports/interleave.ts';
import { dispatchQueue } from '../../fakes/world/dispatch-queue.ts';
import { cases, soakTimeout } from '../../fakes/world/soak.ts';
import { stateOf } from '../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../fakes/world/world.ts';

/** More blocks than two batches take from their commits to the finality of their reveals. */
const mostBlocks = 60;

/** Two senders and a settler at once at every block, on two batches of two, in the order that the seed decides. */
async function live(seed: number): Promise<string[]> {
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
    expect(block).toBeLessThan(mostBlocks);
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
  'batches are committed to and revealed once, in whatever order two senders and a settler do it',
  async () => {
    for (let seed = 0; seed < cases(150, 3_000); seed++) {
      const calls = await live(seed).catch((cause) => {
        throw new Error(`seed ${seed}`, { cause });
      });
      expect(calls.filter((name) => name === 'revealBatch').length, `seed ${seed}`).toBeGreaterThan(0);
    }
  },
  soakTimeout,
);
