import { expect, test } from 'vitest';
import { findPayload, findTransaction } from '../../functions/domain/lane/transaction-records.ts';
import type { Services } from '../../functions/domain/services.ts';
import { interleave } from '../fakes/ports/interleave.ts';
import { dispatchQueue } from '../fakes/world/dispatch-queue.ts';
import { alice, bob } from '../fakes/world/world.ts';
import { laneOf, routes } from './world/served.ts';
import { beginStepwise, endsAfter, type Stepwise } from './world/stepwise.ts';

const skewSeconds = 600;
const seeds = 6;
const operationsPerSeed = 2;

type Run = (services: Services) => Promise<unknown>;

/** On a machine whose clock is off. */
const skewed =
  (seconds: number, run: Run): Run =>
  (services) =>
    run({ ...services, now: () => new Date(services.now().getTime() + seconds * 1000) });

/** Of every transaction there is: the operations in it, and how many attempts. */
async function bound({ world }: Stepwise): Promise<{ ids: string[]; attempts: number }[]> {
  const { nextNonce } = await laneOf(world);
  return Promise.all(
    Array.from({ length: nextNonce }, async (_, nonce) => {
      const { operations } = await findPayload(world.records, world.lane, nonce);
      const transaction = await findTransaction(world.records, world.lane, nonce);
      return {
        ids: operations.map(({ id, kind }) => `${id} ${kind}`),
        attempts: transaction?.attempts.length ?? 0,
      };
    }),
  );
}

/** Each operation is in one transaction, and each transaction was signed for the store once. */
async function checkBoundOnce(begun: Stepwise, ids: readonly string[]): Promise<void> {
  const transactions = await bound(begun);
  expect(transactions.flatMap((one) => one.ids).sort()).toEqual(ids.map((id) => `${id} commit`).sort());
  expect(transactions.map(({ attempts }) => attempts)).toEqual(transactions.map(() => 1));
}

test.each(routes)(
  'row 09: of dispatches and a tick at once, with clocks that are off, one assigns the nonce: %j',
  async (given) => {
    const begun = await beginStepwise({ batches: false, ...given });
    const { world, tick } = begun;
    const dispatchOnce: Run = (mortal) => dispatchQueue(mortal, world.queue);
    const ids: string[] = [];
    for (let seed = 0; seed < seeds; seed++) {
      for (let n = 0; n < operationsPerSeed; n++) {
        const row = await begun.committing(
          n % 2 ? alice : bob,
          `article ${seed} ${n}`,
          endsAfter('records.transact'),
        );
        ids.push(row.id);
      }
      const all = [skewed(skewSeconds, dispatchOnce), skewed(-skewSeconds, dispatchOnce), tick];
      await interleave(world.services, seed, all);
      await begun.settle();
    }
    await checkBoundOnce(begun, ids);
    await begun.endsByRule();
  },
);

test.each(routes)(
  'row 09: of ticks that sign the same at once, one has its attempt stored and sent: %j',
  async (given) => {
    const begun = await beginStepwise(given);
    const { world, tick } = begun;
    const ids: string[] = [];
    for (let seed = 0; seed < seeds; seed++) {
      // The lease of the one that ended before has run out.
      world.clock.advance(11);
      // Ends right after it has assigned the nonce.
      const row = await begun.committing(alice, `article ${seed}`, endsAfter('records.transact', 2));
      ids.push(row.id);
      await interleave(world.services, seed, [skewed(skewSeconds, tick), skewed(-skewSeconds, tick)]);
      await begun.settle();
    }
    await checkBoundOnce(begun, ids);
    const signatures = world.aws.calls.filter((command) => command === 'Sign');
    expect(signatures.length, 'both signed, with some seeds').toBeGreaterThan(seeds);
    await begun.endsByRule();
  },
);
