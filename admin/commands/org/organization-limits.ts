import { formatEther } from 'viem';
import { feeBudget } from '../../../functions/domain/organization/fee-usage.ts';
import type { Organization } from '../../../functions/domain/organization/organization.ts';
import type { Settings } from '../../../functions/domain/settings.ts';

/** A limit and its origin: this organisation's own record, or the settings. */
export interface LimitInForce {
  readonly value: number;
  readonly from: 'organisation' | 'settings';
}

/** Limits of an organisation, with those of the settings where it has none of its own. */
export interface LimitsInForce {
  readonly attestationsPerDay: LimitInForce;
  readonly linksPerDay: LimitInForce;
  readonly inFlight: LimitInForce;
  readonly requestsPerMinute: LimitInForce;
  readonly keyRequestsPerMinute: LimitInForce;
  /** By chain id, in each chain's own coin. */
  readonly feeBudgets: Readonly<Record<string, LimitInForce>>;
}

export function limitsInForce({ limits: own = {} }: Organization, settings: Settings): LimitsInForce {
  const { limits, rate, chains } = settings;
  const general = { ...limits, ...rate };
  const budgets = chains.map((chain) => {
    const coins = Number(formatEther(feeBudget(chain, {})));
    return [chain.chainId, limitInForce(own.feeBudgets?.[chain.chainId], coins)] as const;
  });
  return {
    attestationsPerDay: limitInForce(own.attestationsPerDay, general.attestationsPerDay),
    linksPerDay: limitInForce(own.linksPerDay, general.linksPerDay),
    inFlight: limitInForce(own.inFlight, general.inFlight),
    requestsPerMinute: limitInForce(own.requestsPerMinute, general.requestsPerMinute),
    keyRequestsPerMinute: limitInForce(own.keyRequestsPerMinute, general.keyRequestsPerMinute),
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
