import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateFees, replacementFees } from '../../../../functions/domain/sending/fees.ts';
import { minedCalls } from '../../../fakes/checks/outcome-checks.ts';
import {
  mineAndTick,
  startCommit,
  unsettledTransactions,
  waitUnmined,
  worldWithCommit,
} from '../../../fakes/world/steps.ts';
import { alice, bob, makeWorld } from '../../../fakes/world/world.ts';

const gwei = 1_000_000_000n;
const blockNumber = 1;
const policy = { maxFeePerGasGwei: 200, minPriorityFeeGwei: 0.1 };

test('a new transaction offers twice the base fee and the recent tip, between floor and cap', () => {
  const offer = (baseFee: bigint, tip = gwei) => estimateFees({ blockNumber, baseFee, tip }, policy);
  expect(offer(10n * gwei)).toEqual({ maxFeePerGas: 21n * gwei, maxPriorityFeePerGas: gwei });
  expect(offer(gwei, 0n)?.maxPriorityFeePerGas).toBe(gwei / 10n);
  expect(offer(150n * gwei)?.maxFeePerGas).toBe(200n * gwei);
  // There is no offer while the next block costs more than the cap.
  expect(offer(199n * gwei)).toBeDefined();
  expect(offer(199n * gwei + 1n)).toBeUndefined();
});

test('a replacement offers at least a fresh estimate', () => {
  const last = { maxFeePerGas: 21n * gwei, maxPriorityFeePerGas: gwei };
  expect(replacementFees(last, { blockNumber, baseFee: 60n * gwei, tip: 3n * gwei }, policy)).toEqual({
    maxFeePerGas: 123n * gwei,
    maxPriorityFeePerGas: 3n * gwei,
  });
});

test('a replacement offers at most the cap, and is not made if the cap is less than a tenth higher', () => {
  const feeData = { blockNumber, baseFee: gwei, tip: gwei };
  const last = (maxFee: bigint) => ({ maxFeePerGas: maxFee * gwei, maxPriorityFeePerGas: gwei });
  expect(replacementFees(last(170n), feeData, policy)?.maxFeePerGas).toBe(200n * gwei);
  expect(replacementFees(last(181n), feeData, policy)?.maxFeePerGas).toBe(200n * gwei);
  expect(replacementFees(last(182n), feeData, policy)).toBeUndefined();
  expect(replacementFees(last(200n), feeData, policy)).toBeUndefined();
});

test('every replacement is acceptable to nodes, within the cap, with a tip no higher than the fee', () => {
  const wei = fc.bigInt(0n, 300n * gwei);
  fc.assert(
    fc.property(wei, wei, wei, wei, (a, b, baseFee, tip) => {
      const [maxPriorityFeePerGas, maxFeePerGas] = a < b ? [a, b] : [b, a];
      const fees = replacementFees(
        { maxFeePerGas, maxPriorityFeePerGas },
        { blockNumber, baseFee, tip },
        policy,
      );
      if (!fees) return;
      const minFactor = (offer: bigint) => (offer === 200n * gwei ? 11n : 12n);
      const { maxFeePerGas: fee, maxPriorityFeePerGas: newTip } = fees;
      expect(fee * 10n).toBeGreaterThanOrEqual(maxFeePerGas * minFactor(fee));
      expect(newTip * 10n).toBeGreaterThanOrEqual(maxPriorityFeePerGas * minFactor(newTip));
      expect(fees.maxFeePerGas).toBeGreaterThan(maxFeePerGas);
      expect(fees.maxPriorityFeePerGas).toBeGreaterThan(maxPriorityFeePerGas);
      expect(fees.maxFeePerGas).toBeLessThanOrEqual(200n * gwei);
      expect(fees.maxPriorityFeePerGas).toBeLessThanOrEqual(fees.maxFeePerGas);
    }),
    { numRuns: 2000 },
  );
});

describe('replacement', () => {
  test('waits for twelve seconds and three blocks, then raises both fees by a fifth', async () => {
    const { world, first } = await worldWithCommit();
    await waitUnmined(world, 10);
    expect((await first())?.attempts).toHaveLength(1);
    await waitUnmined(world, 2);
    const [original, replacement] = (await first())?.attempts ?? [];
    expect(original).toMatchObject({ maxFeePerGas: 21n * gwei, maxPriorityFeePerGas: gwei });
    expect(replacement?.maxFeePerGas).toBe((21n * gwei * 12n) / 10n);
    expect(replacement?.maxPriorityFeePerGas).toBe((gwei * 12n) / 10n);
    expect(replacement?.hash).not.toBe(original?.hash);
    await waitUnmined(world, 10);
    expect((await first())?.attempts).toHaveLength(2);
  });

  test('applies to the lowest nonce only', async () => {
    const world = makeWorld();
    await startCommit(world, alice, 'one');
    await startCommit(world, bob, 'two');
    await waitUnmined(world, 14);
    const attempts = (await unsettledTransactions(world)).map((transaction) => transaction.attempts.length);
    expect(attempts).toEqual([2, 1]);
  });

  test('waits for three blocks if the block time is above four seconds', async () => {
    const { world, first } = await worldWithCommit({ blockTimeSeconds: 10 });
    await waitUnmined(world, 20);
    expect((await first())?.attempts).toHaveLength(1);
    await waitUnmined(world, 10);
    expect((await first())?.attempts).toHaveLength(2);
  });

  test('accepts an older attempt that is mined after all', async () => {
    const { world, row } = await worldWithCommit();
    const original = (await unsettledTransactions(world))[0]?.attempts[0]?.hash;
    world.chain.minTip = 1000n * gwei;
    world.chain.forgetsSent = true;
    await waitUnmined(world, 14);
    expect((await unsettledTransactions(world))[0]?.attempts).toHaveLength(2);
    world.chain.minTip = 0n;
    await mineAndTick(world);
    expect(await row()).toMatchObject({ status: 'committed', commitTxHash: original });
  });

  test('is mined although the nodes dropped the transaction', async () => {
    const { world, row, first } = await worldWithCommit();
    world.chain.mempool.drop(0);
    expect(world.chain.mempool.nonces()).toEqual([]);
    await waitUnmined(world, 12);
    const replacement = (await first())?.attempts[1];
    world.chain.minTip = 0n;
    await mineAndTick(world);
    expect(await row()).toMatchObject({ status: 'committed', commitTxHash: replacement?.hash });
  });

  test('raises the fees up to the cap, and then only rebroadcasts the same bytes, with a warning', async () => {
    const { world, first } = await worldWithCommit({ maxFeePerGasGwei: 150 });
    world.chain.baseFee = 100n * gwei;
    await waitUnmined(world, 12);
    expect((await first())?.attempts.at(-1)?.maxFeePerGas).toBe(150n * gwei);
    const sends: string[] = [];
    world.chain.onSend = (hash) => sends.push(hash);
    await waitUnmined(world, 180);
    expect((await first())?.attempts).toHaveLength(2);
    expect(world.log.messages('warn')).toContain('fee cap reached');
    expect(new Set(sends)).toEqual(new Set([(await first())?.attempts.at(-1)?.hash]));
    expect(sends.length).toBeGreaterThanOrEqual(2);
    world.chain.minTip = 0n;
    await mineAndTick(world);
    expect(minedCalls(world)).toEqual(['commit']);
  });
});
