import { formatEther } from 'viem';
import { parseUsage, usageRecord } from '../../../functions/domain/organization/daily-usage.ts';
import {
  feeBudget,
  feeUsageRecord,
  parseFeeUsage,
} from '../../../functions/domain/organization/fee-usage.ts';
import type { Organization } from '../../../functions/domain/organization/organization.ts';
import type { Settings } from '../../../functions/domain/settings.ts';
import type { Deployment } from '../../deployment/command.ts';

/** A limit and its origin: this organisation's own record, or the settings. */
interface LimitInForce {
  readonly value: number;
  readonly from: 'organisation' | 'settings';
}

export type LimitsInForce = ReturnType<typeof limitsInForce>;

/** Limits that are a number of something, and what a person calls them. */
const countLimits = {
  attestationsPerDay: 'attestations per day',
  linksPerDay: 'links per day',
  inFlight: 'in flight',
  requestsPerMinute: 'requests per minute',
  keyRequestsPerMinute: 'requests per minute of a key',
} as const;
export type CountLimit = keyof typeof countLimits;
const countNames = Object.keys(countLimits) as CountLimit[];

/** Limits of an organisation, with those of the settings where it has none of its own. */
export function limitsInForce({ limits: own = {} }: Organization, settings: Settings) {
  const general = { ...settings.limits, ...settings.rate };
  const counts = countNames.map((name) => [name, limitInForce(own[name], general[name])] as const);
  const budgets = settings.chains.map((chain) => {
    const coins = Number(formatEther(feeBudget(chain, {})));
    return [String(chain.chainId), limitInForce(own.feeBudgets?.[chain.chainId], coins)] as const;
  });
  return {
    ...(Object.fromEntries(counts) as Record<CountLimit, LimitInForce>),
    /** By chain id, in each chain's own coin. */
    feeBudgets: Object.fromEntries(budgets),
  };
}

function limitInForce(own: number | undefined, general: number): LimitInForce {
  return own === undefined ? { value: general, from: 'settings' } : { value: own, from: 'organisation' };
}

/** Fields that show the limits to a person. */
export function limitFields({ feeBudgets, ...limits }: LimitsInForce): Record<string, string> {
  const counts = countNames.map((name) => [countLimits[name], limitText(limits[name])]);
  const budgets = Object.entries(feeBudgets).map(([chainId, budget]) => [
    ...[`fees per day on ${chainId}`, limitText(budget)],
  ]);
  return Object.fromEntries([...counts, ...budgets]);
}

function limitText({ value, from }: LimitInForce): string {
  return `${value} (${from === 'settings' ? "the settings' default" : 'for this organisation'})`;
}

type UsageToday = Awaited<ReturnType<typeof readUsageToday>>;

/** What an organisation used today (UTC) of what its limits allow, with fees by chain id in each chain's own coin. */
export async function readUsageToday(
  { records, now }: Deployment,
  organizationId: string,
  { chains }: Settings,
) {
  const at = now().toISOString();
  const [day, ...fees] = await records.getAll([
    usageRecord(organizationId, at),
    ...chains.map(({ chainId }) => feeUsageRecord(organizationId, chainId, at)),
  ]);
  const { accepted: attestations, links } = parseUsage(day);
  const byChain = chains.map(
    ({ chainId }, position) => [String(chainId), formatEther(parseFeeUsage(fees[position]))] as const,
  );
  return { attestations, links, fees: Object.fromEntries(byChain) };
}

/** Formats a usage for a person. */
export function usageText({ attestations, links, fees }: UsageToday): string {
  const paid = Object.entries(fees).map(([chainId, coins]) => `${coins} on ${chainId}`);
  return `${attestations} attestations, ${links} links, fees: ${paid.join(', ')}`;
}
