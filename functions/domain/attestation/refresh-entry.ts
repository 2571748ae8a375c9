import { ExpectedError, NotYetFinalError } from '../errors.ts';
import type { Services } from '../services.ts';
import type { Attestation } from './attestation.ts';
import { attestationOf, attestationRow, findAttestation } from './attestation-records.ts';
import { type FinalEntry, finalEntry } from './final-entry.ts';

/** Fields of a row that the registry decides, as an entry shows them; an attestation that stands has no `revokedAt`. */
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
 * Brings a confirmed attestation's index, time and revocation to what a final block, of the time `since` (in seconds) or
 * later, shows: its authority may revoke it, and a deep reorg may change or undo all three.
 */
export async function refreshEntry(services: Services, row: Attestation, since = 0): Promise<Attestation> {
  if (row.status !== 'confirmed') return row;
  const entry = await finalEntry(services, row);
  // A provider that lags may not know yet of the reorg that another one showed.
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
  // What was read must be what is replaced: of two looks at once, the older view must not write last.
  const expect = { status: 'confirmed', attestationIndex, confirmedAt, revokedAt };
  const changed = await services.records.update({ key: attestationRow(row), expect, set: shown });
  // Lost to another look at the same time: what that one wrote is as new.
  return changed ? attestationOf(row, changed) : ((await findAttestation(services.records, row)) ?? row);
}

/** Whether the view is from before the revocation that the row shows: it cannot tell that there is none. */
function isOlder({ viewedAt, revokedAt }: FinalEntry, row: Attestation): boolean {
  return revokedAt === 0 && row.revokedAt !== undefined && viewedAt * 1000 < Date.parse(row.revokedAt);
}

/** Refreshes an attestation for the answer to a request. While the chain cannot be asked, it stays as it is stored. */
export async function refreshIfReachable(services: Services, row: Attestation): Promise<Attestation> {
  try {
    return await refreshEntry(services, row);
  } catch (error) {
    if (error instanceof ExpectedError) return row;
    throw error;
  }
}
