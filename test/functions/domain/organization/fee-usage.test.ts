import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { coinsToWei } from '../../../../functions/domain/amounts.ts';
import {
  feeBudget,
  feeUsageRecord,
  parseFeeUsage,
  withFeeUsage,
} from '../../../../functions/domain/organization/fee-usage.ts';
import type { Change } from '../../../../functions/domain/records.ts';
import { settingsSchema } from '../../../../functions/domain/settings.ts';
import { sweep } from '../../../../functions/domain/steps/sweep.ts';
import { mineAndTick, startCommit, unsettledTransactions } from '../../../fakes/world/steps.ts';
import { alice, bob, chainId, makeWorld, type World } from '../../../fakes/world/world.ts';

const now = new Date('2026-01-01T12:00:00.000Z');
const operation = (organizationId: string) => ({ organizationId });

const someChange: Change = { key: { table: 'attestations', pk: 'a', sk: 'b' }, remove: true };

function chargedGwei(organizations: readonly string[], fee: bigint): Record<string, number> {
  const changes = organizations.map(() => [someChange]);
  const all = withFeeUsage(changes, { chainId, fee, operations: organizations.map(operation), now });
  expect(all.map(([first]) => first)).toEqual(organizations.map(() => someChange));
  const added = all.flatMap((one) => one.slice(1));
  expect(new Set(added.map(({ key }) => key.pk)).size).toBe(added.length);
  return Object.fromEntries(
    added.map((change) => [change.key.pk.split('#')[0], 'add' in change ? change.add?.gwei : undefined]),
  );
}

const gwei = 1_000_000_000n;

test.each([
  ['is divided among its operations, once for each organization', 'abaa', 100n * gwei, { a: 75, b: 25 }],
  ['is rounded up to a gwei for each', 'aba', 100n * gwei, { a: 67, b: 34 }],
  ['is rounded up to a gwei for one', 'a', 1n, { a: 1 }],
  ['of zero changes nothing', 'ab', 0n, {}],
  ['that a reorg lowers is given back in part', 'ab', -100n * gwei, { a: -50, b: -50 }],
])('the fee of a transaction %s', (_, organizations, fee, expected) => {
  expect(chargedGwei([...organizations], fee)).toEqual(expected);
});

const paidBy = (world: World, { organizationId } = alice) =>
  parseFeeUsage(world.records.peek(feeUsageRecord(organizationId, chainId, world.clock.now().toISOString())));

const feesOf = ({ chain }: World) => chain.receipts().reduce((sum, { fee }) => sum + fee, 0n);

describe('an organization’s daily fee', () => {
  test('is counted when a transaction is final, not before', async () => {
    const world = makeWorld();
    await startCommit(world, alice);
    await mineAndTick(world, 2);
    expect(world.chain.receipts()).toHaveLength(1);
    expect(paidBy(world)).toBe(0n);
    await mineAndTick(world);
    expect(paidBy(world)).toBe(feesOf(world));
    expect(paidBy(world)).toBeGreaterThan(0n);
    await mineAndTick(world, 3);
    expect(paidBy(world)).toBe(feesOf(world));
  });

  test('is its share of a batch', async () => {
    const world = makeWorld({ forwarder: true });
    world.chain.baseFee *= 1000n;
    for (const [caller, text] of [
      [alice, '1'],
      [bob, '2'],
      [alice, '3'],
    ] as const)
      await startCommit(world, caller, text);
    world.chain.baseFee /= 1000n;
    await mineAndTick(world, 5);
    expect(world.chain.receipts()).toHaveLength(1);
    const third = feesOf(world) / 3n;
    const excess = (paid: bigint, thirds: bigint) => Number(paid - thirds * third);
    for (const [paid, thirds] of [
      [paidBy(world), 2n],
      [paidBy(world, bob), 1n],
    ] as const) {
      expect(excess(paid, thirds)).toBeGreaterThanOrEqual(0);
      expect(excess(paid, thirds)).toBeLessThan(1_000_000_002);
    }
  });

  test('is counted once when a transaction is final again after a deep reorg', async () => {
    const world = makeWorld();
    await startCommit(world, alice);
    await mineAndTick(world, 3);
    expect(await unsettledTransactions(world)).toEqual([]);
    expect(paidBy(world)).toBe(feesOf(world));
    world.chain.reorganize(5, { delaySeconds: 1 });
    await sweep(world.services);
    await mineAndTick(world, 8);
    expect(world.log.messages('error')).toContain('reorg deeper than confirmations');
    expect(world.chain.receipts()).toHaveLength(1);
    expect(await unsettledTransactions(world)).toEqual([]);
    expect(paidBy(world)).toBe(feesOf(world));
  });
});

test('the default budget of an organization is at most a quarter of the lane’s budget', () => {
  const settings = settingsSchema.parse(
    JSON.parse(readFileSync('environments/production.json', 'utf8')).settings,
  );
  const shares = settings.chains.flatMap((chain) => {
    const { dailyFeeBudget: budget } = chain;
    return budget === undefined ? [] : [Number(feeBudget(chain)) / Number(coinsToWei(budget))];
  });
  expect(shares.length).toBeGreaterThan(1);
  expect(Math.max(...shares)).toBeLessThanOrEqual(0.25);
});
