import type { RegistryEntry } from '../chain.ts';
import type { Services } from '../services.ts';
import type { Attestation } from './attestation.ts';

/** A registry's entry of an attestation at a final block. */
export interface FinalEntry extends RegistryEntry {
  /** Index of the attestation; 0 when the registry does not have it there. */
  readonly attestationIndex: number;
  /** Time of the final block, in seconds since 1970. */
  readonly viewedAt: number;
}

/** Reads the registry's entry of an attestation; index and entry at one block of one provider. */
export function finalEntry(services: Services, row: Attestation): Promise<FinalEntry> {
  return services.chain(row.chainId).atFinal(async (view) => {
    const { attestationIndex } = await view.registryState(row);
    const viewedAt = view.block.timestamp;
    if (attestationIndex === 0) return { attestationIndex, viewedAt, timestamp: 0, revokedAt: 0 };
    const { timestamp, revokedAt } = await view.entry(row.registryAddress, attestationIndex);
    return { attestationIndex, viewedAt, timestamp, revokedAt };
  });
}
