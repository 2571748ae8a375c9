import type { LaneTransaction } from './lane-history.ts';
import { quantiles } from './quantiles.ts';

/** How a lane's transactions carried its calls. */
export interface LaneFigures {
  readonly transactions: number;
  readonly calls: number;
  /** Calls that reverted, alone or with their transaction. */
  readonly failedCalls: number;
  /** Of the transactions that carry any. */
  readonly callsPerTransaction: { readonly median: number; readonly largest: number };
  /** The mean of all calls, with their share of what their transactions cost in all. */
  readonly gasPerCall: number;
}

/** Zero throughout of a lane that made no call. */
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
