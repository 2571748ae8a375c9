import { formatEther } from 'viem';
import { parseUsage, usageRecord } from '../../../functions/domain/organization/daily-usage.ts';
import { feeUsageRecord, parseFeeUsage } from '../../../functions/domain/organization/fee-usage.ts';
import type { Settings } from '../../../functions/domain/settings.ts';
import type { Deployment } from '../../deployment/deployment.ts';

/** What an organisation used today (UTC) of what its limits allow. */
export interface UsageToday {
  readonly attestations: number;
  readonly links: number;
  /** Fees of its final transactions by chain id, in each chain's own coin. */
  readonly fees: Readonly<Record<string, string>>;
}

export async function readUsageToday(
  { records, now }: Deployment,
  organizationId: string,
  { chains }: Settings,
): Promise<UsageToday> {
  const at = now().toISOString();
  const [day, ...fees] = await records.getAll([
    usageRecord(organizationId, at),
    ...chains.map(({ chainId }) => feeUsageRecord(organizationId, chainId, at)),
  ]);
  const { accepted, links } = parseUsage(day);
  const byChain = chains.map(({ chainId }, position) => [
    chainId,
    formatEther(parseFeeUsage(fees[position])),
  ]);
  return { attestations: accepted, links, fees: Object.fromEntries(byChain) };
}

/** Formats a usage for a person. */
export function usageText({ attestations, links, fees }: UsageToday): string {
  const paid = Object.entries(fees).map(([chainId, coins]) => `${coins} on ${chainId}`);
  return `${attestations} attestations, ${links} links, fees: ${paid.join(', ')}`;
}
