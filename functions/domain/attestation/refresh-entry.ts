import { ExpectedError, NotYetFinalError } from '../errors.ts';
import type { Services } from '../services.ts';
import type { Attestation } from './attestation.ts';
import { attestationOf, attestationRow, findAttestation } from './attestation-records.ts';
import { type FinalEntry, finalEntry } from './final-entry.ts';

/** Converts the registry's entry to fields of the row. `revokedAt` is `undefined` if the entry is not revoked. */
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

/**
 * Updates fields that a revocation or a deep reorg may change.
 * @param since minimum time of the final block, in seconds since 1970
 */
export async function refreshEntry(services: Services, row: Attestation, since = 0): Promise<Attestation> {
  if (row.status !== 'confirmed') return row;
  const entry = await finalEntry(services, row);
  // This provider may lag behind the one that showed the reorg.
  if (entry.viewedAt < since)
    throw new NotYetFinalError('this provider has an older final block than another one');
  if (entry.attestationIndex === 0 || isOlder(entry, row)) return row;
  const { attestationIndex, confirmedAt, revokedAt } = row;
  const current = entryFields(entry);
  const isUnchanged =
    current.attestationIndex === attestationIndex &&
    current.confirmedAt === confirmedAt &&
    current.revokedAt === revokedAt;
  if (isUnchanged) return row;
  // Two refreshes may run at once. The older view must not overwrite the newer one.
  const expect = { status: 'confirmed', attestationIndex, confirmedAt, revokedAt };
  const changed = await services.records.update({ key: attestationRow(row), expect, set: current });
  // After a lost race, the row has the result of another refresh, which is as recent.
  return changed ? attestationOf(row, changed) : ((await findAttestation(services.records, row)) ?? row);
}

/** Whether the entry was read before the row's revocation, which it therefore lacks. */
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
