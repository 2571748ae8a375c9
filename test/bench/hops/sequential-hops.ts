/** Start and end of a request, on the clock of one process. */
export interface Interval {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** Counts the longest chain of requests that each begin after the one before has ended, by interval scheduling. */
export function sequentialHops(intervals: readonly Interval[]): number {
  let hops = 0;
  let lastEndMs = Number.NEGATIVE_INFINITY;
  for (const { startedAtMs, endedAtMs } of intervals.toSorted((a, b) => a.endedAtMs - b.endedAtMs)) {
    if (startedAtMs < lastEndMs) continue;
    hops += 1;
    lastEndMs = endedAtMs;
  }
  return hops;
}
