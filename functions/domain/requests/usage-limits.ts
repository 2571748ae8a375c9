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

/** An organization and the limits of its own. */
export type Limited = Pick<Caller, 'organizationId' | 'limits'>;

/** What an organization used today (UTC) of what its limits allow, as the store shows it. */
export interface Usage extends DailyUsage {
  /** Fees of its operations on the chain of the request, in wei, as far as their transactions are final. */
  readonly fees: bigint;
}

/** Keys of the records that hold an organization's usage today, with its fees on a chain. */
export function usageRecords({ now }: Services, organizationId: string, chainId: number): [Key, Key] {
  const at = now().toISOString();
  return [usageRecord(organizationId, at), feeUsageRecord(organizationId, chainId, at)];
}

/** Parses those records, in their order. @throws RecordInvalidError */
export function usageOf([day, fees]: readonly (Fields | undefined)[]): Usage {
  return { ...parseUsage(day), fees: parseFeeUsage(fees) };
}

/** The limits in force: those of the organization, and of the settings where it has none. */
export function limitsOf({ settings }: Pick<Services, 'settings'>, { limits }: Pick<Caller, 'limits'>) {
  return { ...settings.limits, ...limits };
}

/** Refusal of one more attestation, when it would be over a limit of the organization. */
export function attestationRefusal(
  services: Services,
  organization: Limited,
  chain: ChainSettings,
  usage: Usage & { readonly inFlight: number },
): LimitReachedError | undefined {
  const limits = limitsOf(services, organization);
  const isOver = usage.accepted >= limits.attestationsPerDay;
  if (hasUsedUpFees(services, organization, chain, usage) || isOver) return untilTomorrow(services);
  return usage.inFlight >= limits.inFlight ? new LimitReachedError() : undefined;
}

/** Refusal of one more child link, when it would be over a limit of the organization. */
export function linkRefusal(
  services: Services,
  organization: Limited,
  chain: ChainSettings | undefined,
  usage: Usage,
): LimitReachedError | undefined {
  const isOver = usage.links >= limitsOf(services, organization).linksPerDay;
  const hasNoFees = chain !== undefined && hasUsedUpFees(services, organization, chain, usage);
  return isOver || hasNoFees ? untilTomorrow(services) : undefined;
}

function untilTomorrow({ now }: Services): LimitReachedError {
  return new LimitReachedError(secondsLeftOfDay(now()));
}

/** Four fifths of a budget are logged at every request, so that the alarm stays up for as long as requests come. */
function hasUsedUpFees(
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

/**
 * Counts after the fact: in the accepting transaction all requests of an organization would conflict on this record. So a limit may be
 * passed by as many as are under way at once.
 */
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
