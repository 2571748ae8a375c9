import { describe, expect, test } from 'vitest';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { activateSigner } from '../../../../functions/domain/operator/change-signers.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { override } from '../../../fakes/ports/port-overrides.ts';
import { addKey, enqueue, mineAndTick, reveal, startCommit, stateOf } from '../../../fakes/world/steps.ts';
import { alice, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

const linesOf = ({ log }: World, message: string) =>
  log.lines.filter((line) => line.message === message).map(({ fields }) => fields);

/** Lets time pass with a sweep every minute and without blocks. */
async function sweepEachMinute(world: World, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    world.clock.advance(60);
    await sweep(world.services);
  }
}

/** Makes services that count reads of the newest block. */
function countHeadReads(world: World) {
  let heads = 0;
  const head = () => {
    heads++;
    return world.chain.head();
  };
  const chain = override<Chain>(world.chain, { head });
  return { services: { ...world.services, chain: () => chain }, count: () => heads };
}

describe('a stalled head', () => {
  test('is reported by every sweep while a transaction is not final, although no execution runs', async () => {
    const world = makeWorld();
    await startCommit(world, alice);
    await sweepEachMinute(world, 3);
    expect(linesOf(world, 'head stale')).toEqual([]);
    const { number: blockNumber } = world.chain.newest;
    await sweepEachMinute(world, 2);
    expect(linesOf(world, 'head stale')).toEqual([
      { chainId, blockNumber, ageSeconds: 240 },
      { chainId, blockNumber, ageSeconds: 300 },
    ]);
    world.chain.mine(300);
    await sweepEachMinute(world, 1);
    expect(linesOf(world, 'head stale')).toHaveLength(2);
  });

  test.each<[string, (world: World) => Promise<unknown>]>([
    [
      'all transactions are mined and none is final',
      async (world) => {
        await startCommit(world, alice);
        await mineAndTick(world);
        expect(await stateOf(world)).toMatchObject({ nextNonce: 1, minedNonce: 1, finalNonce: 0 });
      },
    ],
    ['an operation is queued and nothing was ever sent', (world) => enqueue(world, alice)],
    [
      'a draining signer has an unmined transaction',
      async (world) => {
        await startCommit(world, alice);
        await activateSigner(world.services, chainId, addKey(world));
      },
    ],
  ])('is reported while %s', async (_, prepare) => {
    const world = makeWorld();
    await prepare(world);
    await sweepEachMinute(world, 4);
    expect(linesOf(world, 'head stale')).toHaveLength(1);
  });

  test('is not read while no lane has work', async () => {
    const world = makeWorld();
    await startCommit(world, alice);
    await mineAndTick(world, world.chain.settings.confirmations + 1);
    const { services, count } = countHeadReads(world);
    world.clock.advance(86_400);
    await sweep(services);
    expect(count()).toBe(0);
    await startCommit(world, alice, 'Another.');
    await sweep(services);
    expect(count()).toBe(1);
    expect(linesOf(world, 'head stale')).toHaveLength(1);
  });

  test('is reported by Reveal, which waits for the chain’s clock with nothing queued', async () => {
    const world = makeWorld({ confirmations: 1, revealDelaySeconds: 60 });
    const row = await startCommit(world, alice);
    await mineAndTick(world, 2);
    await expect(reveal(world, row)).rejects.toThrow('the newest block is from before');
    expect(linesOf(world, 'head stale')).toEqual([]);
    await sweepEachMinute(world, 4);
    expect(linesOf(world, 'head stale')).toEqual([]);
    await expect(reveal(world, row)).rejects.toThrow('the newest block is from before');
    expect(linesOf(world, 'head stale')).toMatchObject([{ ageSeconds: 240 }]);
  });

  test('of an unreachable chain does not prevent the start of a lane', async () => {
    const world = makeWorld();
    await enqueue(world, alice);
    world.chain.unreachable = true;
    await sweep(world.services);
    expect(world.log.messages('error')).toEqual(['sweep could not check a chain']);
    expect(world.executions.started).toContain(`${world.lane}-1`);
  });
});

test('an unmined transaction is reported with nonce and age after the time of fifty blocks, but not before ten minutes', async () => {
  const world = makeWorld();
  await startCommit(world, alice);
  await mineAndTick(world);
  await startCommit(world, alice, 'Another.');
  await startCommit(world, alice, 'A third.');
  await sweepEachMinute(world, 10);
  expect(linesOf(world, 'transaction unmined for too long')).toEqual([]);
  await sweepEachMinute(world, 2);
  expect(linesOf(world, 'transaction unmined for too long')).toEqual([
    { lane: world.lane, nonce: 1, ageSeconds: 660 },
    { lane: world.lane, nonce: 1, ageSeconds: 720 },
  ]);
  world.chain.mine(720);
  await mineAndTick(world);
  await sweepEachMinute(world, 1);
  expect(linesOf(world, 'transaction unmined for too long')).toHaveLength(2);
});

describe('an overdue attestation', () => {
  const message = 'attestation unfinished for too long';

  test('is reported each time that Commit is entered again after a timeout', async () => {
    const world = makeWorld();
    const { organizationId, id } = await startCommit(world, alice);
    world.clock.advance(1_800);
    await startCommit(world, alice);
    expect(linesOf(world, message)).toEqual([]);
    world.clock.advance(300);
    await startCommit(world, alice);
    expect(linesOf(world, message)).toEqual([{ organizationId, id, chainId, ageSeconds: 2_100 }]);
  });

  test('is reported by the sweep every ten minutes if no state is entered', async () => {
    const world = makeWorld();
    await startCommit(world, alice);
    await sweepEachMinute(world, 60);
    const ages = linesOf(world, message).map((fields) => Number(fields?.ageSeconds));
    expect(ages).toEqual([2_400, 3_000, 3_600]);
  });

  test('is not reported after its end, however late a state is entered', async () => {
    const world = makeWorld();
    const row = await startCommit(world, alice);
    await world.records.update({ key: attestationRow(row), set: { status: 'confirmed' } });
    world.clock.advance(86_400);
    await expect(startCommit(world, alice)).rejects.toThrow('already confirmed');
    expect(linesOf(world, message)).toEqual([]);
  });

  test('is reported although its execution cannot be started', async () => {
    const world = makeWorld();
    await startCommit(world, alice);
    world.executions.startFailure = new Error('throttled');
    world.clock.advance(1_860);
    await sweep(world.services);
    expect(linesOf(world, message)).toHaveLength(1);
  });

  test('is reported on a chain that the settings no longer name', async () => {
    const world = makeWorld();
    await startCommit(world, alice);
    const settings = { ...world.settings, chains: [] };
    world.clock.advance(1_860);
    await sweep({ ...world.services, settings });
    expect(linesOf(world, message)).toHaveLength(1);
  });
});

describe('the days that a signer’s balance lasts', () => {
  const coin = 10n ** 18n;
  const message = 'funds checked';

  test.each([
    ['the daily budget', { dailyFeeBudget: 2 }, 1.5],
    ['30,000,000 gas at the fee cap if there is no budget', { maxFeePerGasGwei: 50 }, 2],
  ])('are computed from %s', async (_, given, daysLeft) => {
    const world = makeWorld(given);
    world.chain.setBalance(world.signer.address, 3n * coin);
    await sweep(world.services);
    expect(linesOf(world, message)).toEqual([{ chainId, lane: world.lane, daysLeft }]);
  });

  test('are reported for the active signer, and for the stack’s own key while authorities delegate to it', async () => {
    for (const forwarder of [true, false]) {
      const world = makeWorld({ forwarder });
      const second = addKey(world);
      await activateSigner(world.services, chainId, second);
      await sweep(world.services);
      const lanes = linesOf(world, message).map((fields) => fields?.lane);
      const active = `${chainId}-${second.address}`;
      expect(lanes.sort()).toEqual((forwarder ? [active] : [active, world.lane]).sort());
    }
  });
});

describe('the oldest queued operation', () => {
  const ages = (world: World) =>
    linesOf(world, 'queues checked').map((fields) => fields?.oldestQueuedSeconds);

  test('is reported with its age at every check, although the chain cannot be reached', async () => {
    const world = makeWorld();
    await sweepEachMinute(world, 1);
    await enqueue(world, alice);
    world.chain.unreachable = true;
    await sweepEachMinute(world, 2);
    expect(ages(world)).toEqual([0, 60, 120]);
  });

  test('does not exist while a reveal waits for its delay', async () => {
    const world = makeWorld({ batches: true, revealDelaySeconds: 600 });
    await startCommit(world, alice);
    await mineAndTick(world, 4);
    await sweepEachMinute(world, 2);
    expect(ages(world)).toEqual([0, 0]);
  });
});
