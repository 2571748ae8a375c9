import { type AttestationKey, isTerminal } from './attestation.ts';
import { findAttestation } from './attestation-rows.ts';
import { AttestationMissingError, NotYetFinalError } from './errors.ts';
import { attestationRow } from './keys.ts';
import { settled } from './outcome.ts';
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
  const { timestamp } = await chain.registry.entry(row.registryAddress, attestationIndex, block.number);
  const confirmedAt = new Date(timestamp * 1000).toISOString();
  await services.records.update({
    key: attestationRow(row),
    expect: { status: ['pending', 'committed'] },
    set: { status: 'confirmed', attestationIndex, confirmedAt, ...settled },
  });
}
