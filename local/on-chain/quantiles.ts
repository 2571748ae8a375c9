/** Computes the median, the 95th and the 99th percentile, by nearest rank; undefined without values. */
export function quantiles(values: readonly number[]): { p50: number; p95: number; p99: number } | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const rank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
  const [p50, p95, p99] = [rank(0.5), rank(0.95), rank(0.99)];
  if (p50 === undefined || p95 === undefined || p99 === undefined) return undefined;
  return { p50, p95, p99 };
}
