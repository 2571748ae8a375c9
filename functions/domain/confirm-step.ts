import { type AttestationKey, isTerminal } from './attestation.ts';
import { findAttestation } from './attestation-rows.ts';
import { notDue } from './due.ts';
import { AttestationMissingError, ContentRevokedError, NotYetFinalError } from './errors.ts';
import { attestationRow } from './keys.ts';
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
  const chain = services.chain(row.chainId);
  const block = await chain.finalBlock();
  const { attestationIndex } = await chain.registry.standing(row, block.number);
  if (attestationIndex === 0) throw new NotYetFinalError('the final block does not show the attestation yet');
  const { timestamp, revokedAt } = await chain.registry.entry(
    row.registryAddress,
    attestationIndex,
    block.number,
  );
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
