import type { RegistryEntry } from '../chain.ts';
import type { Services } from '../services.ts';
import type { Attestation } from './attestation.ts';
import { attestationRow } from './attestation-records.ts';

/** The registry's entry of an attestation at a final block; index 0 when the registry does not have it there. */
export function finalEntry(
  services: Services,
  row: Attestation,
): Promise<{ attestationIndex: number } & RegistryEntry> {
  return services.chain(row.chainId).atFinal(async (view) => {
    const { attestationIndex } = await view.registryState(row);
    if (attestationIndex === 0) return { attestationIndex, timestamp: 0, revokedAt: 0 };
    const { timestamp, revokedAt } = await view.entry(row.registryAddress, attestationIndex);
    return { attestationIndex, timestamp, revokedAt };
  });
}

/**
 * Updates the index and time of a confirmed attestation. After a reorganisation deeper than any was meant to be, it may
 * be revealed again under another index and time, and has to show those. Asks nothing about any other attestation.
 */
export async function confirmAgain(services: Services, row: Attestation): Promise<void> {
  if (row.status !== 'confirmed' || (row.revealPhase !== 'final' && row.revealPhase !== 'unneeded')) return;
  const { attestationIndex, timestamp } = await finalEntry(services, row);
  if (attestationIndex === 0) return;
  const confirmedAt = new Date(timestamp * 1000).toISOString();
  await services.records.update({
    key: attestationRow(row),
    expect: { status: 'confirmed' },
    set: { attestationIndex, confirmedAt },
  });
}
