import { type Attestation, type AttestationKey, isTerminal } from './attestation.ts';
import { findAttestation } from './attestation-rows.ts';
import { notDue } from './due.ts';
import { AttestationMissingError, ContentRevokedError, NotYetFinalError } from './errors.ts';
import { attestationRow } from './keys.ts';
import type { RegistryEntry } from './ports.ts';
import type { Services } from './services.ts';

/**
 * The Confirm state: what the registry shows at a final block, and only that, makes an attestation `confirmed`.
 *
 * @throws NotYetFinalError while the final block does not show it.
 */
export async function confirmStep(services: Services, key: AttestationKey): Promise<void> {
  const row = await findAttestation(services.records, key);
  if (!row) throw new AttestationMissingError();
  if (isTerminal(row)) return;
  const { attestationIndex, timestamp, revokedAt } = await finalEntry(services, row);
  if (attestationIndex === 0) throw new NotYetFinalError('the final block does not show the attestation yet');
  const confirmedAt = new Date(timestamp * 1000).toISOString();
  const confirmed = { status: 'confirmed', attestationIndex, confirmedAt };
  // Revoked before it was final: nobody could verify it.
  const revoked = { status: 'failed', error: new ContentRevokedError(row.chainId).message };
  await services.records.update({
    key: attestationRow(row),
    expect: { status: ['pending', 'committed'] },
    set: { ...(revokedAt === 0 ? confirmed : revoked), ...notDue },
  });
}

/** What the registry shows of an attestation at a final block; index 0 when it does not have it there. */
function finalEntry(
  services: Services,
  row: Attestation,
): Promise<{ attestationIndex: number } & RegistryEntry> {
  return services.chain(row.chainId).atFinal(async (view) => {
    const { attestationIndex } = await view.standing(row);
    if (attestationIndex === 0) return { attestationIndex, timestamp: 0, revokedAt: 0 };
    const { timestamp, revokedAt } = await view.entry(row.registryAddress, attestationIndex);
    return { attestationIndex, timestamp, revokedAt };
  });
}

/**
 * After a reorganisation deeper than any was meant to be: what was confirmed may be revealed again under another index
 * and time, and has to show those. Of any other attestation nothing is asked.
 */
export async function confirmAgain(services: Services, row: Attestation): Promise<void> {
  if (row.status !== 'confirmed' || row.revealPhase !== 'final') return;
  const { attestationIndex, timestamp } = await finalEntry(services, row);
  if (attestationIndex === 0) return;
  const confirmedAt = new Date(timestamp * 1000).toISOString();
  await services.records.update({
    key: attestationRow(row),
    expect: { status: 'confirmed' },
    set: { attestationIndex, confirmedAt },
  });
}
