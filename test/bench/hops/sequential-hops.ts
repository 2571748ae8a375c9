/** Time in which a request was under way, on the clock of the process that saw its start and its end. */
export interface Interval {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/**
 * Counts the longest chain of requests of which each begins after the one before has ended: the part of the waiting
 * that remains however fast each request is. Taking the earliest end first finds it (interval scheduling).
 */
export function sequentialHops(intervals: readonly Interval[]): number {
  const byEnd = [...intervals].sort((a, b) => a.endedAtMs - b.endedAtMs);
  let hops = 0;
  let lastEndMs = Number.NEGATIVE_INFINITY;
  for (const { startedAtMs, endedAtMs } of byEnd) {
    if (startedAtMs < lastEndMs) continue;
    hops += 1;
    lastEndMs = endedAtMs;
  }
  return hops;
}
