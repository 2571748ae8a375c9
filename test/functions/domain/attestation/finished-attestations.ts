import { type AttestationKey, noCheck } from '../../../../functions/domain/attestation/attestation.ts';
import { attestationRow } from '../../../../functions/domain/attestation/attestation-records.ts';
import { failAttestation } from '../../../../functions/domain/steps/fail.ts';
import { alice, type World } from '../../../fakes/world/world.ts';

/** All fields that a publisher can store with a content. */
export const urlAndMetadata = { url: 'https://paper.example/a', metadata: '{"author":"A. Writer"}' };

export async function confirmedAttestation(world: World, text: string): Promise<AttestationKey> {
  const { attestation } = await world.create(alice, text, urlAndMetadata);
  const set = {
    status: 'confirmed',
    attestationIndex: 7,
    confirmedAt: '2026-01-01T00:05:00.000Z',
    ...noCheck,
  };
  await world.records.update({ key: attestationRow(attestation), set });
  return attestation;
}

/** Makes failed attestations of the same content. The guard names the last one. */
export async function failedAttestations(
  world: World,
  text: string,
  count = 1,
): Promise<[AttestationKey, ...AttestationKey[]]> {
  const { attestation } = await world.create(alice, text, urlAndMetadata);
  await failAttestation(world.services, attestation, 'too expensive');
  return count === 1 ? [attestation] : [attestation, ...(await failedAttestations(world, text, count - 1))];
}
