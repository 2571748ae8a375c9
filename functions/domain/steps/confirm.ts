import { type AttestationKey, isTerminal, noCheck } from '../attestation/attestation.ts';
import { attestationRow, findAttestation } from '../attestation/attestation-records.ts';
import { finalEntry } from '../attestation/final-entry.ts';
import { AttestationMissingError, ContentRevokedError, NotYetFinalError } from '../errors.ts';
import type { Services } from '../services.ts';

/**
 * Runs the Confirm state: only what the registry shows at a final block makes an attestation `confirmed`.
 *
 * @throws NotYetFinalError while the final block does not show it
 */
export async function confirmStep(services: Services, key: AttestationKey): Promise<void> {
  const row = await findAttestation(services.records, key);
  if (!row) throw new AttestationMissingError();
  if (isTerminal(row)) return;
  const { attestationIndex, timestamp, revokedAt } = await finalEntry(services, row);
  if (attestationIndex === 0) throw new NotYetFinalError('the final block does not show the attestation yet');
  const confirmedAt = new Date(timestamp * 1000).toISOString();
  const confirmed = { status: 'confirmed', attestationIndex, confirmedAt };
  // Revoked before it was final: it could not be verified.
  const revoked = { status: 'failed', error: new ContentRevokedError(row.chainId).message };
  await services.records.update({
    key: attestationRow(row),
    expect: { status: ['pending', 'committed'] },
    set: { ...(revokedAt === 0 ? confirmed : revoked), ...noCheck },
  });
}
