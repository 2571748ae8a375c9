import type { LaneTransaction } from './lane-history.ts';
import { quantiles } from './quantiles.ts';

/** Figures of a lane's transactions and the calls in them. */
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
  /** What attestations took that share a commit, by how many share it; of one alone too. */
  readonly batches: readonly BatchFigures[];
}

/** Batches of one size, commits and reveals together. */
export interface BatchFigures {
  readonly members: number;
  readonly count: number;
  /** The mean. */
  readonly gasPerAttestation: number;
}

/** Computes the figures of a lane; all are zero for a lane without calls. */
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
    batches: batchFigures(carrying),
  };
}

/** Counts the transactions that do nothing but a commit, or reveal what it committed to. */
function batchFigures(carrying: readonly LaneTransaction[]): BatchFigures[] {
  const byCommit = Map.groupBy(carrying, ({ calls: [first, ...others] }) => {
    const hash = first && 'saltedHash' in first ? first.saltedHash : undefined;
    return others.every((call) => 'saltedHash' in call && call.saltedHash === hash) ? hash : undefined;
  });
  byCommit.delete(undefined);
  const batches = [...byCommit.values()].map((transactions) => {
    const calls = transactions.flatMap((transaction) => transaction.calls);
    const isWhole = calls.some(({ kind }) => kind === 'commit') && calls.every(({ succeeded }) => succeeded);
    const gas = transactions.reduce((sum, { gasUsed }) => sum + gasUsed, 0);
    return { members: isWhole ? calls.filter(({ kind }) => kind === 'reveal').length : 0, gas };
  });
  const bySize = Map.groupBy(batches, ({ members }) => members);
  bySize.delete(0);
  return [...bySize]
    .sort(([one], [other]) => one - other)
    .map(([members, all]) => {
      const gas = all.reduce((sum, batch) => sum + batch.gas, 0);
      return { members, count: all.length, gasPerAttestation: Math.round(gas / all.length / members) };
    });
}
