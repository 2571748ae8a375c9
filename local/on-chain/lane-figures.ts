import type { LaneTransaction } from './lane-history.ts';
import { quantiles } from './quantiles.ts';

/** Figures of a lane's transactions and the calls in them; all are zero for a lane without calls. */
export interface LaneFigures {
  readonly transactions: number;
  /** Calls, each member of a batch's reveal counted as one. */
  readonly calls: number;
  /** Calls that reverted, alone or with their transaction, or were skipped. */
  readonly failedCalls: number;
  /** Reveals per transaction, over the transactions that have any. */
  readonly revealsPerTransaction: { readonly median: number; readonly largest: number };
  /** Gas of all transactions that carry calls, shared among the reveals that succeeded. */
  readonly gasPerAttestation: number;
}

export function laneFigures(history: readonly LaneTransaction[]): LaneFigures {
  const carrying = history.filter(({ calls }) => calls.length > 0);
  const calls = carrying.flatMap((transaction) => transaction.calls);
  const revealsIn = (transaction: LaneTransaction) =>
    transaction.calls.filter(({ kind, succeeded }) => kind === 'reveal' && succeeded).length;
  const reveals = carrying.map(revealsIn).filter((count) => count > 0);
  const gas = carrying.reduce((sum, { gasUsed }) => sum + gasUsed, 0);
  const attestations = reveals.reduce((sum, count) => sum + count, 0);
  return {
    transactions: history.length,
    calls: calls.length,
    failedCalls: calls.filter(({ succeeded }) => !succeeded).length,
    revealsPerTransaction: { median: quantiles(reveals)?.p50 ?? 0, largest: Math.max(0, ...reveals) },
    gasPerAttestation: attestations === 0 ? 0 : Math.round(gas / attestations),
  };
}
