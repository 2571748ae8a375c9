import type { LaneTransaction } from './lane-history.ts';
import { quantiles } from './quantiles.ts';

/** Figures of a lane's transactions and the calls in them; all are zero for a lane without calls. */
export function laneFigures(history: readonly LaneTransaction[]) {
  const carrying = history.filter(({ calls }) => calls.length > 0);
  const calls = carrying.flatMap((transaction) => transaction.calls);
  const revealsIn = (transaction: LaneTransaction) =>
    transaction.calls.filter(({ kind, succeeded }) => kind === 'reveal' && succeeded).length;
  const reveals = carrying.map(revealsIn).filter((count) => count > 0);
  const gas = carrying.reduce((sum, { gasUsed }) => sum + gasUsed, 0);
  const attestations = reveals.reduce((sum, count) => sum + count, 0);
  return {
    transactions: history.length,
    /** Calls, each member of a batch's reveal counted as one. */
    calls: calls.length,
    /** Calls that reverted, alone or with their transaction, or were skipped. */
    failedCalls: calls.filter(({ succeeded }) => !succeeded).length,
    /** Reveals per transaction, over the transactions that have any. */
    revealsPerTransaction: { median: quantiles(reveals)?.p50 ?? 0, largest: Math.max(0, ...reveals) },
    /** Gas of all transactions that carry calls, shared among the reveals that succeeded. */
    gasPerAttestation: attestations === 0 ? 0 : Math.round(gas / attestations),
  };
}
