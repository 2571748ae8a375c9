import { formatEther } from 'viem';
import type { AttestationKey } from '../attestation/attestation.ts';
import { LimitReachedError } from '../errors.ts';
import type { Caller } from '../organization/api-keys.ts';
import {
  addUsage,
  type DailyUsage,
  parseUsage,
  secondsLeftOfDay,
  usageRecord,
} from '../organization/daily-usage.ts';
import { feeBudget, feeUsageRecord, parseFeeUsage } from '../organization/fee-usage.ts';
import type { Fields, Key } from '../records.ts';
import type { Services } from '../services.ts';
import type { ChainSettings } from '../settings.ts';

export type Limited = Pick<Caller, 'organizationId' | 'limits'>;

export interface Usage extends DailyUsage {
  /** Fees of its operations on the request's chain, in wei. Only final transactions count. */
  readonly fees: bigint;
}

export function usageRecords({ now }: Services, organizationId: string, chainId: number): [Key, Key] {
  const time = now().toISOString();
  return [usageRecord(organizationId, time), feeUsageRecord(organizationId, chainId, time)];
}

/** Parses the records of `usageRecords`, in the same order. @throws RecordInvalidError */
export function usageOf([day, fees]: readonly (Fields | undefined)[]): Usage {
  return { ...parseUsage(day), fees: parseFeeUsage(fees) };
}

/** Returns the effective limits: those of the organization, otherwise those of the settings. */
export function limitsOf({ settings }: Pick<Services, 'settings'>, { limits }: Pick<Caller, 'limits'>) {
  return { ...settings.limits, ...limits };
}

export function attestationRefusal(
  services: Services,
  organization: Limited,
  chain: ChainSettings,
  usage: Usage & { readonly inFlight: number },
): LimitReachedError | undefined {
  const limits = limitsOf(services, organization);
  const isOverLimit = usage.accepted >= limits.attestationsPerDay;
  if (isBudgetUsedUp(services, organization, chain, usage) || isOverLimit) return untilTomorrow(services);
  return usage.inFlight >= limits.inFlight ? new LimitReachedError() : undefined;
}

export function linkRefusal(
  services: Services,
  organization: Limited,
  chain: ChainSettings | undefined,
  usage: Usage,
): LimitReachedError | undefined {
  const isOverLimit = usage.links >= limitsOf(services, organization).linksPerDay;
  const isOverBudget = chain !== undefined && isBudgetUsedUp(services, organization, chain, usage);
  return isOverLimit || isOverBudget ? untilTomorrow(services) : undefined;
}

function untilTomorrow({ now }: Services): LimitReachedError {
  return new LimitReachedError(secondsLeftOfDay(now()));
}

/** Whether the fees use up the budget. Above four fifths, logs each request, so that the alarm lasts. */
function isBudgetUsedUp(
  { log }: Services,
  { organizationId, limits }: Limited,
  chain: ChainSettings,
  { fees }: Usage,
): boolean {
  const budget = feeBudget(chain, limits);
  if (fees * 5n >= budget * 4n) {
    const [used, of] = [formatEther(fees), formatEther(budget)];
    log.warn('organization near its fee budget', { organizationId, chainId: chain.chainId, used, of });
  }
  return fees >= budget;
}

/** Counts in a separate write, to avoid conflicts of requests. So concurrent requests may exceed a limit. */
export async function countAccepted(
  { records, log, now }: Services,
  { organizationId, id }: AttestationKey,
  used: Partial<DailyUsage>,
): Promise<void> {
  try {
    await records.update(addUsage(organizationId, now().toISOString(), used));
  } catch (error) {
    log.error('daily usage not counted', error, { organizationId, id });
  }
}
