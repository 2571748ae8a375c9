import { quantiles } from '../../../local/on-chain/quantiles.ts';
import { mean } from '../report/statistics.ts';
import type { MinedTransaction } from './mined-transactions.ts';

/** Share of a block that belongs to the lane. */
export interface BlockUse {
  readonly transactions: number;
  readonly operations: number;
  readonly gas: number;
}

/** Pace of a lane. */
export interface LanePace {
  /** Number of blocks between the first and the last with a transaction of the lane, both included. */
  readonly blocks: number;
  /** Means over the middle 80 % of these blocks. */
  readonly transactionsPerBlock: number;
  readonly operationsPerBlock: number;
  readonly gasPerBlock: number;
  /** Operations per block as a share of the most that a lane can have in one. */
  readonly shareOfCeiling: number;
  readonly gasPerOperation: number;
  /** Blocks that operations waited beyond those that their place in the queue takes at the ceiling. */
  readonly extraBlocks: { readonly p50: number; readonly p95: number };
}

/** Lists every block from the first to the last, including those without a transaction of the lane. */
export function blocksOf(transactions: readonly MinedTransaction[]): BlockUse[] {
  const numbers = transactions.map(({ blockNumber }) => blockNumber);
  const first = Math.min(...numbers);
  const blocks = Array.from({ length: Math.max(...numbers) - first + 1 }, (_, at) =>
    transactions.filter(({ blockNumber }) => blockNumber === first + at),
  );
  return blocks.map((mined) => ({
    transactions: mined.length,
    operations: sum(mined.map(({ operations }) => operations.length)),
    gas: sum(mined.map(({ gasUsed }) => gasUsed)),
  }));
}

/** Gives the items without the tenth at either end, where the lane starts up and runs out. */
export function middle<Item>(items: readonly Item[]): readonly Item[] {
  const end = Math.round(items.length / 10);
  return items.slice(end, items.length - end);
}

const total = (blocks: readonly BlockUse[], of: keyof BlockUse): number =>
  sum(blocks.map((block) => block[of]));

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Computes a lane's pace.
 * @param transactions transactions of operations of one organisation
 * @param ceiling operations of the lane that one block may have
 * @param startBlock the newest block when everything was queued
 */
export function paceOf(
  transactions: readonly MinedTransaction[],
  { ceiling, startBlock }: { readonly ceiling: number; readonly startBlock: number },
): LanePace {
  const blocks = blocksOf(transactions);
  const inner = middle(blocks);
  const operationsPerBlock = mean(inner.map(({ operations }) => operations));
  const { p50 = 0, p95 = 0 } = quantiles(extraBlocks(transactions, ceiling, startBlock)) ?? {};
  return {
    blocks: blocks.length,
    transactionsPerBlock: mean(inner.map((block) => block.transactions)),
    operationsPerBlock,
    gasPerBlock: mean(inner.map(({ gas }) => gas)),
    shareOfCeiling: operationsPerBlock / ceiling,
    gasPerOperation: total(blocks, 'gas') / total(blocks, 'operations'),
    extraBlocks: { p50, p95 },
  };
}

/**
 * The extra blocks of each commit. An organisation's commits are served by age, which is the order of their ids, and the
 * reveals of those before go first.
 */
function extraBlocks(
  transactions: readonly MinedTransaction[],
  ceiling: number,
  startBlock: number,
): number[] {
  const mined = transactions.flatMap(({ operations, blockNumber }) =>
    operations.filter(({ kind }) => kind === 'commit').map(({ id }) => ({ id, blockNumber })),
  );
  return mined
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ blockNumber }, position) => blockNumber - startBlock - Math.ceil((2 * (position + 1)) / ceiling));
}
