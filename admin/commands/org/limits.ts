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

/** Limits of an organisation, with those of the settings where it has none of its own. */
export function limitsInForce({ limits: own = {} }: Organization, settings: Settings) {
  const general = { ...settings.limits, ...settings.rate };
  const of = (name: keyof typeof general) => limitInForce(own[name], general[name]);
  const budgets = settings.chains.map((chain) => {
    const coins = Number(formatEther(feeBudget(chain, {})));
    return [String(chain.chainId), limitInForce(own.feeBudgets?.[chain.chainId], coins)] as const;
  });
  return {
    attestationsPerDay: of('attestationsPerDay'),
    linksPerDay: of('linksPerDay'),
    inFlight: of('inFlight'),
    requestsPerMinute: of('requestsPerMinute'),
    keyRequestsPerMinute: of('keyRequestsPerMinute'),
    /** By chain id, in each chain's own coin. */
    feeBudgets: Object.fromEntries(budgets),
  };
}

function limitInForce(own: number | undefined, general: number): LimitInForce {
  return own === undefined ? { value: general, from: 'settings' } : { value: own, from: 'organisation' };
}

/** Fields that show the limits to a person. */
export function limitFields(limits: LimitsInForce): Record<string, string> {
  const budgets = Object.entries(limits.feeBudgets);
  return {
    'attestations per day': limitText(limits.attestationsPerDay),
    'links per day': limitText(limits.linksPerDay),
    'in flight': limitText(limits.inFlight),
    'requests per minute': limitText(limits.requestsPerMinute),
    'requests per minute of a key': limitText(limits.keyRequestsPerMinute),
    ...Object.fromEntries(
      budgets.map(([chainId, budget]) => [`fees per day on ${chainId}`, limitText(budget)]),
    ),
  };
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
