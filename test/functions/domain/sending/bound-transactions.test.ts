import { describe, expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import { eraseContent, findStoredContent } from '../../../../functions/domain/operator/erase-content.ts';
import { resumeLane } from '../../../../functions/domain/operator/lane-control.ts';
import { linkChild } from '../../../../functions/domain/requests/link-child.ts';
import { advance } from '../../../../functions/domain/steps/advance-lane.ts';
import {
  mineAndTick,
  selfAttest,
  startCommit,
  stateOf,
  tick,
  unsettledTransactions,
  withRecords,
} from '../../../fakes/world/steps.ts';
import { alice, makeWorld, type World } from '../../../fakes/world/world.ts';

const routes = [{}, { forwarder: true }];

/** Makes a link that was bound while the key could not sign. */
async function boundLink(options: Parameters<typeof makeWorld>[0]) {
  const world = makeWorld(options);
  const parent = await selfAttest(world, alice, 'old');
  const [first, second] = [await selfAttest(world, alice, 'new'), await selfAttest(world, alice, 'newest')];
  await linkChild(world.services, parent, first.id);
  world.signer.failure = new Error('throttled');
  await tick(world);
  world.signer.failure = undefined;
  expect(await unsettledTransactions(world)).toMatchObject([{ nonce: 0, attempts: [] }]);
  const child = ({ attestationIndex = 0 }: Attestation) =>
    world.chain.state.entry(attestationIndex).childDigest;
  return { world, parent, first, second, child };
}

describe.each(routes)('a transaction bound and not yet signed is signed: %j', (route) => {
  test('although the link intent has changed since, and the new one is sent after it', async () => {
    const { world, parent, first, second, child } = await boundLink(route);
    await linkChild(world.services, parent, second.id);
    await mineAndTick(world);
    world.mine();
    expect(child(parent)).toBe(first.digest);
    await mineAndTick(world, 8);
    expect(child(parent)).toBe(second.digest);
    expect(await world.owes()).toBe(false);
  });

  test('although the contents of parent and child were erased meanwhile', async () => {
    const { world, parent, first, child } = await boundLink(route);
    for (const row of [parent, first]) {
      const stored = await findStoredContent(world.records, row, [row.chainId]);
      await eraseContent(world.records, stored, world.clock.now());
    }
    await mineAndTick(world, 5);
    expect(child(parent)).toBe(first.digest);
    expect(await world.owes()).toBe(false);
  });

  test('once an unreadable attestation is repaired and the lane resumed', async () => {
    const { world, parent, first, child } = await boundLink(route);
    const { digest } = parent;
    await world.records.update({ key: attestationRow(parent), set: { digest: 'no digest' } });
    await mineAndTick(world, 2);
    expect((await stateOf(world)).paused).toContain('not all of its attestations can be read');
    await world.records.update({ key: attestationRow(parent), set: { digest } });
    await resumeLane(world.services, world.lane);
    await mineAndTick(world, 5);
    expect(child(parent)).toBe(first.digest);
  });

  test('not for a changed index: it is canceled, and its link bound again with the new index', async () => {
    const { world, parent, first, second, child } = await boundLink(route);
    // A reorg could have given the parent the index of the second.
    const { attestationIndex } = second;
    await world.records.update({ key: attestationRow(parent), set: { attestationIndex } });
    await mineAndTick(world, 10);
    expect([child(parent), child(second)]).toEqual([undefined, first.digest]);
    expect((await stateOf(world)).paused).toBeUndefined();
    const mine = world.chain.receipts().filter(({ sender }) => sender === world.signer.address);
    expect(mine.map(({ data }) => data === '0x')).toEqual([true, false]);
    expect(await world.owes()).toBe(false);
  });
});

/** Runs ticks. @returns the number of attestations that they read */
async function rowsReadBy(world: World, ticks: number): Promise<number> {
  let count = 0;
  const services = withRecords(world, {
    get: (key) => {
      if (key.table === 'attestations') count++;
      return world.records.get(key);
    },
    getAll: (keys) => {
      count += keys.filter(({ table }) => table === 'attestations').length;
      return world.records.getAll(keys);
    },
  });
  for (let time = 0; time < ticks; time++) {
    world.mine();
    await advance(services, { lane: world.lane, run: (await stateOf(world)).run, turn: 0 });
  }
  return count;
}

test.each(routes)(
  'a signed transaction is replaced without a read of its attestations: %j',
  async (route) => {
    const world = makeWorld(route);
    const row = await startCommit(world, alice);
    world.chain.minTip = 10n ** 15n;
    await world.records.update({ key: attestationRow(row), set: { salt: `0x${'00'.repeat(32)}` } });
    expect(await rowsReadBy(world, 12)).toBe(0);
    expect((await unsettledTransactions(world))[0]?.attempts.length).toBeGreaterThan(2);
    expect((await stateOf(world)).paused).toBeUndefined();
  },
);
