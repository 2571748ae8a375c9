import { expect, test } from 'vitest';
import { listOperations } from '../../../../functions/domain/lane/queue-records.ts';
import { findPayload } from '../../../../functions/domain/lane/transaction-records.ts';
import type { Records } from '../../../../functions/domain/records.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import { type Faults, invoke } from '../../../fakes/ports/faults.ts';
import { overriding } from '../../../fakes/ports/overriding.ts';
import { committing, mineAndTick, openTransactions, queued, tick } from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld, type World } from '../../../fakes/world/world.ts';

/** One more than half of what one write holds: each operation that is freed takes two changes. */
const manyOperations = 49;

/** The process ends at its second write of a settlement. */
function endsBetweenParts(): Faults {
  let writes = 0;
  return { next: (call) => (call === 'records.transact' && ++writes === 2 ? 'killed before' : undefined) };
}

async function boundNames(world: World): Promise<string[]> {
  const open = await openTransactions(world);
  const payloads = await Promise.all(open.map(({ nonce }) => findPayload(world.records, world.lane, nonce)));
  return payloads.flatMap(({ operations }) => operations.map(({ id }) => id));
}

/** A batch that reverted as a whole, deep enough to be settled for good, which takes more than one write. */
async function revertedBatch(): Promise<World> {
  const world = makeWorld({ forwarder: true });
  await queued(world, alice, manyOperations - 1);
  await queued(world, bob);
  await tick(world);
  expect(await boundNames(world)).toHaveLength(manyOperations);
  world.chain.revertsAll = true;
  world.mine();
  world.chain.revertsAll = false;
  world.mine(world.chain.settings.confirmations);
  return world;
}

/** That so many operations are owed, each in the queue or in one transaction, and are done. */
async function expectOwedOnce(world: World, count: number): Promise<void> {
  const waiting = (await listOperations(world, world.queue, 100)).map(({ id }) => id);
  const owed = [...(await boundNames(world)), ...waiting];
  expect(new Set(owed).size).toBe(count);
  expect(owed).toHaveLength(count);
  await mineAndTick(world, 12);
  expect(minedCalls(world)).toHaveLength(count);
  expect(await world.owes()).toBe(false);
}

test('what the first part of a settlement freed, and another transaction holds by then, is not freed again', async () => {
  const world = await revertedBatch();
  await expect(
    invoke(world.services, endsBetweenParts(), (services) => tick({ ...world, services })),
  ).rejects.toThrow();
  // The Commit state of another attestation dispatches what was freed.
  await committing(world, alice, 'another');
  await tick(world);
  await expectOwedOnce(world, manyOperations + 1);
});

test('what another function settled for good since the lane was read is not settled again', async () => {
  const world = await revertedBatch();
  let isFirst = true;
  const records = overriding<Records>(world.records, {
    list: async (range) => {
      if (isFirst) {
        isFirst = false;
        await tick(world);
      }
      return world.records.list(range);
    },
  });
  await tick({ ...world, services: { ...world.services, records } });
  await expectOwedOnce(world, manyOperations);
});
