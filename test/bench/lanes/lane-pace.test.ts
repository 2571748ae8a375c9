import { expect, test } from 'vitest';
import { blocksOf, middle, paceOf } from './lane-pace.ts';
import type { MinedTransaction } from './mined-transactions.ts';

const queuedAt = '2026-01-01T00:00:00.000Z';

/** Transactions with the commit and the reveal of one attestation each, numbered in the order of the transactions. */
function mined(blockNumbers: readonly number[]): MinedTransaction[] {
  return blockNumbers.map((blockNumber, nonce) => ({
    ...{ nonce, blockNumber, gasUsed: 100 },
    operations: (['commit', 'reveal'] as const).map((kind) => ({
      ...{ organizationId: 'a', id: String(nonce).padStart(4, '0') },
      ...{ kind, queuedAt },
    })),
  }));
}

test('counts the blocks between that have nothing of the lane', () => {
  expect(blocksOf(mined([7, 7, 9]))).toEqual([
    { transactions: 2, operations: 4, gas: 200 },
    { transactions: 0, operations: 0, gas: 0 },
    { transactions: 1, operations: 2, gas: 100 },
  ]);
});

test('leaves out a tenth at either end', () => {
  expect(middle(Array.from({ length: 20 }, (_, number) => number))).toEqual(
    Array.from({ length: 16 }, (_, number) => number + 2),
  );
  expect(middle([1, 2, 3])).toEqual([1, 2, 3]);
});

test('is at the ceiling when every block is full', () => {
  const pace = paceOf(mined([11, 11, 12, 12, 13, 13]), { ceiling: 4, startBlock: 10 });
  expect(pace).toEqual({
    ...{ blocks: 3, transactionsPerBlock: 2, operationsPerBlock: 4, gasPerBlock: 200 },
    ...{ shareOfCeiling: 1, gasPerOperation: 50, extraBlocks: { p50: 0, p95: 0 } },
  });
});

test('loses a share of the ceiling, and has all that come after wait, when a block is missed', () => {
  const pace = paceOf(mined([11, 11, 13, 13, 14, 14]), { ceiling: 4, startBlock: 10 });
  expect(pace.shareOfCeiling).toBe(0.75);
  expect(pace.extraBlocks).toEqual({ p50: 1, p95: 1 });
});
