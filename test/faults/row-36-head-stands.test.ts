import { expect, test } from 'vitest';
import { readLaneStatus } from '../../functions/domain/operator/read-lane-status.ts';
import { standing } from '../fakes/rpc/rpc-answers.ts';
import { alice } from '../fakes/world/world.ts';
import { laneOf, minedCount, routes, type Served, serve } from './world/served.ts';

/** So long that few ticks make an hour. */
const blockTimeSeconds = 40;

/** The node refuses what it has mined and the provider does not show yet: trying again would only take time. */
const limits = { timeoutMilliseconds: 25_000, totalTimeoutMilliseconds: 10_000, retries: 0 };

/** Ages that the lines of one message give, in seconds. */
const agesIn = ({ world }: Served, message: string): number[] =>
  world.log.lines.filter((line) => line.message === message).map(({ fields }) => Number(fields?.ageSeconds));

const differences = (ages: readonly number[]) =>
  ages.slice(1).map((age, position) => age - (ages[position] ?? 0));

/** Lets the newest block of every provider stand still. @returns a function that lets it go on */
function freeze({ world }: Served): () => void {
  const lifts = world.providers.map((provider) => provider.set(standing(world.chain.newest.number)));
  return () => {
    for (const lift of lifts) lift();
  };
}

test.each(routes)(
  'row 36: a head that stands is reported every minute, and lane status says how old it is: %j',
  async (route) => {
    const service = await serve({ ...route, blockTimeSeconds: 12, limits });
    const { world, services, post, until, pass, endsByRule } = service;
    await post(alice, 'An article.');
    await until(async () => (await laneOf(world).catch(() => undefined))?.nextNonce === 1);
    const lift = freeze(service);
    const looks = () => world.providers[0]?.counts.get('eth_getTransactionCount') ?? 0;
    const before = looks();
    await pass(420);
    // Of a tick a second there would be 400.
    expect(looks() - before).toBeLessThan(100);
    expect(await minedCount(world)).toBe(1);
    const ages = agesIn(service, 'head stale');
    // The time to the next sweep comes on top.
    expect(ages[0]).toBeLessThanOrEqual(180 + 60);
    expect(ages.length).toBeGreaterThanOrEqual(3);
    expect(new Set(differences(ages))).toEqual(new Set([60]));
    const { waitingFor, chain } = await readLaneStatus(services, world.lane);
    expect(waitingFor).toBe('a new block: the newest is 7 min old');
    expect(chain?.headAgeSeconds).toBeGreaterThanOrEqual(420);
    lift();
    await endsByRule();
    expect(agesIn(service, 'head stale')).toHaveLength(ages.length);
  },
);

test('row 36: a head that stands during the reveal delay, with nothing unsettled, is reported', async () => {
  const service = await serve({ blockTimeSeconds, confirmations: 1, revealDelaySeconds: 60 });
  const { world, post, until, pass, endsByRule } = service;
  const { attestation } = await post(alice, 'An article.');
  await until(async () => (await world.row(attestation)).commitPhase === 'final');
  const lift = freeze(service);
  await pass(1_800);
  expect(await world.owes()).toBe(false);
  const ages = agesIn(service, 'head stale');
  // As often as Reveal is tried again, which is every five minutes at least.
  expect(ages[0]).toBeLessThanOrEqual(15 * blockTimeSeconds + 300);
  expect(ages.length).toBeGreaterThanOrEqual(4);
  expect(Math.max(...differences(ages))).toBeLessThanOrEqual(300);
  lift();
  await endsByRule();
});

test('row 36: a transaction that is not mined and an attestation that does not end are reported while it lasts', async () => {
  const service = await serve({ blockTimeSeconds, limits });
  const { world, post, until, pass, endsByRule } = service;
  const { attestation } = await post(alice, 'An article.');
  // Commit waits for a block that takes the transaction.
  world.chain.minTip = 10n ** 15n;
  await pass(2_700);
  const unmined = agesIn(service, 'transaction unmined for long');
  expect(unmined[0]).toBeLessThanOrEqual(50 * blockTimeSeconds + 60);
  expect(new Set(differences(unmined))).toEqual(new Set([60]));
  const message = 'attestation unfinished for long';
  const inCommit = agesIn(service, message);
  expect(inCommit[0]).toBeLessThanOrEqual(1_800 + 660);
  world.chain.minTip = 0n;
  await until(async () => (await world.row(attestation)).revealPhase === 'mined');
  // Confirm waits for a block that makes the reveal final.
  const lift = freeze(service);
  await pass(720);
  const ages = agesIn(service, message);
  expect(ages.length).toBeGreaterThan(inCommit.length);
  // The alarm looks at the last fifteen minutes.
  expect(Math.max(...differences(ages))).toBeLessThanOrEqual(900);
  lift();
  await endsByRule();
  expect(agesIn(service, message)).toHaveLength(ages.length);
});
