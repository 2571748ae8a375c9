import type { LaneTransaction } from '../../on-chain/lane-history.ts';

/** Pace of a lane, by the blocks between the first and the last with a transaction of it, both included. */
export interface LanePace {
  readonly blocks: number;
  /** Means over the middle 80 % of these blocks: at either end the lane starts up or runs out. */
  readonly transactionsPerBlock: number;
  readonly operationsPerBlock: number;
}

/**
 * Computes the pace of a lane that has revealed all that it committed to; a block that has nothing of it counts too. The
 * commit of a batch is as many operations as its reveals are.
 */
export function paceOf(
  transactions: readonly Pick<LaneTransaction, 'minedAt' | 'calls'>[],
  blockTimeSeconds: number,
): LanePace {
  const times = transactions.map(({ minedAt }) => minedAt);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const blocks = (last - first) / blockTimeSeconds + 1;
  const end = Math.round(blocks / 10);
  const inner = transactions.filter(({ minedAt }) => {
    const place = (minedAt - first) / blockTimeSeconds;
    return place >= end && place < blocks - end;
  });
  const counted = blocks - 2 * end;
  const operations = operationsIn(transactions);
  return {
    blocks,
    transactionsPerBlock: inner.length / counted,
    operationsPerBlock: inner.reduce((sum, transaction) => sum + operations(transaction), 0) / counted,
  };
}

function operationsIn(transactions: readonly Pick<LaneTransaction, 'calls'>[]) {
  const reveals = transactions.flatMap(({ calls }) => calls.filter(({ kind }) => kind === 'reveal'));
  const members = Map.groupBy(reveals, (call) => 'saltedHash' in call && call.saltedHash);
  return ({ calls }: Pick<LaneTransaction, 'calls'>): number =>
    calls.reduce(
      (sum, call) => sum + (call.kind === 'commit' ? (members.get(call.saltedHash)?.length ?? 0) : 1),
      0,
    );
}
