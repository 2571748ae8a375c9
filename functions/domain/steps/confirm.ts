import { type AttestationKey, isTerminal, noCheck } from '../attestation/attestation.ts';
import { attestationRow, findAttestation } from '../attestation/attestation-records.ts';
import { finalEntry } from '../attestation/final-entry.ts';
import { entryFields } from '../attestation/refresh-entry.ts';
import { AttestationMissingError, NotYetFinalError } from '../errors.ts';
import type { Services } from '../services.ts';

/** Runs the Confirm state. An attestation becomes `confirmed` only by the registry's entry at a final block. */
export async function confirmStep(services: Services, key: AttestationKey): Promise<void> {
  const row = await findAttestation(services.records, key);
  if (!row) throw new AttestationMissingError();
  if (isTerminal(row)) return;
  const entry = await finalEntry(services, row);
  if (entry.attestationIndex === 0)
    throw new NotYetFinalError('the final block does not show the attestation yet');
  // A revoked attestation becomes `confirmed` too: `failed` would mean that it is not on the chain.
  await services.records.update({
    key: attestationRow(row),
    expect: { status: ['pending', 'committed'] },
    set: { status: 'confirmed', ...entryFields(entry), ...noCheck },
  });
}
