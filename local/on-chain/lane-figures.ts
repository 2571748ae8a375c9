import type { LaneTransaction } from './lane-history.ts';
import { quantiles } from './quantiles.ts';

/** Figures of a lane's transactions and the calls in them. */
export interface LaneFigures {
  readonly transactions: number;
  readonly calls: number;
  /** Calls that reverted, alone or with their transaction. */
  readonly failedCalls: number;
  /** Calls per transaction, over the transactions that have any. */
  readonly callsPerTransaction: { readonly median: number; readonly largest: number };
  /** Mean over all calls; the whole gas of their transactions is shared among them. */
  readonly gasPerCall: number;
}

/** Computes the figures of a lane; all are zero for a lane without calls. */
export function laneFigures(history: readonly LaneTransaction[]): LaneFigures {
  const carrying = history.filter(({ calls }) => calls.length > 0);
  const counts = carrying.map(({ calls }) => calls.length);
  const calls = carrying.flatMap((transaction) => transaction.calls);
  const gas = carrying.reduce((sum, { gasUsed }) => sum + gasUsed, 0);
  return {
    transactions: history.length,
    calls: calls.length,
    failedCalls: calls.filter(({ succeeded }) => !succeeded).length,
    callsPerTransaction: { median: quantiles(counts)?.p50 ?? 0, largest: Math.max(0, ...counts) },
    gasPerCall: Math.round(gas / Math.max(1, calls.length)),
  };
}
