import { describe, expect, it } from 'vitest';
import { laneFigures } from '../../../local/on-chain/lane-figures.ts';
import type { LaneTransaction } from '../../../local/on-chain/lane-history.ts';

const transaction = (nonce: number, gasUsed: number, ...succeeded: boolean[]): LaneTransaction => ({
  ...{ nonce, hash: '0x1', minedAt: 100, gasUsed },
  calls: succeeded.map((succeeded) => ({ kind: 'other', succeeded })),
});

describe('laneFigures', () => {
  it('tells how many calls the transactions carried, and what a call took', () => {
    const history = [
      transaction(0, 100_000, true, true),
      transaction(1, 90_000, false),
      transaction(2, 410_000, true, true, false, true, true),
    ];
    expect(laneFigures(history)).toEqual({
      transactions: 3,
      calls: 8,
      failedCalls: 2,
      callsPerTransaction: { median: 2, largest: 5 },
      gasPerCall: 75_000,
    });
  });

  it('leaves cancellations out of what a call took', () => {
    const { transactions, callsPerTransaction, gasPerCall } = laneFigures([
      transaction(0, 50_000, true),
      transaction(1, 21_000),
    ]);
    expect({ transactions, callsPerTransaction, gasPerCall }).toEqual({
      transactions: 2,
      callsPerTransaction: { median: 1, largest: 1 },
      gasPerCall: 50_000,
    });
  });

  it('is zero of a lane that did nothing', () => {
    expect(laneFigures([])).toEqual({
      transactions: 0,
      calls: 0,
      failedCalls: 0,
      callsPerTransaction: { median: 0, largest: 0 },
      gasPerCall: 0,
    });
  });
});
