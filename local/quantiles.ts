/** The median and the 95th percentile, by nearest rank; undefined of nothing. */
export function quantiles(values: readonly number[]): { p50: number; p95: number } | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const rank = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
  const [p50, p95] = [rank(0.5), rank(0.95)];
  return p50 === undefined || p95 === undefined ? undefined : { p50, p95 };
}
