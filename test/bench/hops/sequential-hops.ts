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
  let hops = 0;
  let lastEndMs = Number.NEGATIVE_INFINITY;
  for (const { startedAtMs, endedAtMs } of intervals.toSorted((a, b) => a.endedAtMs - b.endedAtMs)) {
    if (startedAtMs < lastEndMs) continue;
    hops += 1;
    lastEndMs = endedAtMs;
  }
  return hops;
}

/** Groups requests hop by hop: each stands right after the last hop in which a request ended before it began. */
export function hopByHop<Request extends Interval>(requests: readonly Request[]): Request[][] {
  const hops: Request[][] = [];
  for (const request of requests.toSorted((a, b) => a.startedAtMs - b.startedAtMs)) {
    const last = hops.findLastIndex((hop) => hop.some(({ endedAtMs }) => endedAtMs <= request.startedAtMs));
    hops[last + 1] = [...(hops[last + 1] ?? []), request];
  }
  return hops;
}
