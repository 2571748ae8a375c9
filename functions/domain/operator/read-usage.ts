import { type DailyUsage, parseUsage, usageRecord } from '../organization/daily-usage.ts';
import { feeUsageRecord, parseFeeUsage } from '../organization/fee-usage.ts';
import type { Records } from '../records.ts';

/** Usage of an organization, with its fees in wei by chain ID. */
export interface Usage extends DailyUsage {
  readonly fees: Readonly<Record<string, bigint>>;
}

/** Reads the usage of organizations on UTC days, ISO 8601. @returns the days of each organization, in the given order */
export async function readUsage(
  records: Records,
  organizationIds: readonly string[],
  chainIds: readonly number[],
  days: readonly string[],
): Promise<Usage[][]> {
  const keysOf = (organizationId: string, day: string) => [
    usageRecord(organizationId, day),
    ...chainIds.map((chainId) => feeUsageRecord(organizationId, chainId, day)),
  ];
  const found = await records.getAll(organizationIds.flatMap((id) => days.flatMap((day) => keysOf(id, day))));
  return organizationIds.map(() =>
    days.map(() => {
      const [usage, ...fees] = found.splice(0, 1 + chainIds.length);
      const byChain = chainIds.map((chainId, position) => [chainId, parseFeeUsage(fees[position])] as const);
      return { ...parseUsage(usage), fees: Object.fromEntries(byChain) };
    }),
  );
}

/** Adds usage of several days. */
export function sumUsage(days: readonly Usage[]): Usage {
  const fees: Record<string, bigint> = {};
  for (const [chainId, wei] of days.flatMap((day) => Object.entries(day.fees)))
    fees[chainId] = (fees[chainId] ?? 0n) + wei;
  const sum = (field: keyof DailyUsage) => days.reduce((total, day) => total + day[field], 0);
  return { accepted: sum('accepted'), links: sum('links'), fees };
}
