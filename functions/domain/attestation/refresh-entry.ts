import { ExpectedError, NotYetFinalError } from '../errors.ts';
import type { Services } from '../services.ts';
import type { Attestation } from './attestation.ts';
import { attestationOf, attestationRow, findAttestation } from './attestation-records.ts';
import { type FinalEntry, finalEntry } from './final-entry.ts';

/** Returns a row's fields from the registry's entry. `revokedAt` is `undefined` unless it was revoked. */
export function entryFields({ attestationIndex, timestamp, revokedAt }: FinalEntry) {
  return {
    attestationIndex,
    confirmedAt: isoTime(timestamp),
    revokedAt: revokedAt === 0 ? undefined : isoTime(revokedAt),
  };
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** Updates what a revocation or a deep reorg may change, by a final block not older than `since`, in seconds. */
export async function refreshEntry(services: Services, row: Attestation, since = 0): Promise<Attestation> {
  if (row.status !== 'confirmed') return row;
  const entry = await finalEntry(services, row);
  // A lagging provider may not have the reorg that another provider showed.
  if (entry.viewedAt < since)
    throw new NotYetFinalError('a provider shows an older final block than another');
  if (entry.attestationIndex === 0 || isOlder(entry, row)) return row;
  const { attestationIndex, confirmedAt, revokedAt } = row;
  const shown = entryFields(entry);
  const isKnown =
    shown.attestationIndex === attestationIndex &&
    shown.confirmedAt === confirmedAt &&
    shown.revokedAt === revokedAt;
  if (isKnown) return row;
  // Two refreshes may run at once. The older view must not overwrite the newer one.
  const expect = { status: 'confirmed', attestationIndex, confirmedAt, revokedAt };
  const changed = await services.records.update({ key: attestationRow(row), expect, set: shown });
  // Another refresh wrote a result that is as new.
  return changed ? attestationOf(row, changed) : ((await findAttestation(services.records, row)) ?? row);
}

/** Whether the view is older than the revocation in the row, so that it cannot show it. */
function isOlder({ viewedAt, revokedAt }: FinalEntry, row: Attestation): boolean {
  return revokedAt === 0 && row.revokedAt !== undefined && viewedAt * 1000 < Date.parse(row.revokedAt);
}

/** Refreshes an attestation for a response. If the chain is unreachable, returns the stored row. */
export async function refreshIfReachable(services: Services, row: Attestation): Promise<Attestation> {
  try {
    return await refreshEntry(services, row);
  } catch (error) {
    if (error instanceof ExpectedError) return row;
    throw error;
  }
}
