import type { Attestation } from '../attestation/attestation.ts';
import { LimitReachedError } from '../errors.ts';
import type { Caller } from '../organization/api-keys.ts';
import type { Fields, Key } from '../records.ts';
import type { Services } from '../services.ts';
import { isNumber, parseRecord, type RecordForm } from '../stored-record.ts';

const daySeconds = 86_400;

/** A day's count is kept this long, so that it can be read after its day; then DynamoDB deletes it. */
const keptDays = 3;

/** An organisation's use of what its limits allow, as the store shows it. */
export interface Usage {
  readonly acceptedToday: number;
  readonly inFlight: number;
}

/** Key of an organisation's count of accepted attestations in the UTC day of that moment, an ISO 8601 timestamp. */
export function usageRecord(organizationId: string, at: string): Key {
  return { table: 'attestations', pk: `${organizationId}#usage`, sk: `usage#${at.slice(0, 10)}` };
}

const usageForm: RecordForm<{ readonly accepted: number }> = {
  kind: 'usage',
  required: { accepted: isNumber },
  optional: {},
};

/** Returns how many attestations a day's record counts; a day without one has none. @throws RecordInvalidError */
export function acceptedCount(usage: Fields | undefined): number {
  return usage ? parseRecord(usageForm, usage).accepted : 0;
}

/** The limits in force: those of the organisation, and of the settings where it has none. */
export function limitsOf({ settings }: Pick<Services, 'settings'>, { limits }: Pick<Caller, 'limits'>) {
  return { ...settings.limits, ...limits };
}

/** Refusal of one more attestation, when it would be over a limit of the organisation. */
export function limitReached(
  services: Services,
  caller: Caller,
  { acceptedToday, inFlight }: Usage,
): LimitReachedError | undefined {
  const limits = limitsOf(services, caller);
  if (acceptedToday >= limits.attestationsPerDay) {
    return new LimitReachedError(daySeconds - (Math.floor(services.now().getTime() / 1000) % daySeconds));
  }
  return inFlight >= limits.inFlight ? new LimitReachedError() : undefined;
}

/**
 * Counts an accepted attestation, after the fact and not in the accepting transaction: there, all requests of an
 * organisation would conflict on this one record. So a limit may be passed by as many as are under way at once.
 */
export async function countAccepted(
  { records, log }: Services,
  { organizationId, id, createdAt }: Attestation,
): Promise<void> {
  const expiresAt = Math.floor(Date.parse(createdAt) / 1000) + keptDays * daySeconds;
  try {
    const key = usageRecord(organizationId, createdAt);
    await records.update({ key, set: { expiresAt }, add: { accepted: 1 } });
  } catch (error) {
    log.error('attestation not counted for its day', error, { organizationId, id });
  }
}
