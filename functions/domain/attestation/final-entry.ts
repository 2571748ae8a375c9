import { zeroHash } from 'viem';
import type { ContentUnderAuthority, RegistryEntry } from '../chain.ts';
import type { ReadServices } from '../services.ts';

export interface FinalEntry extends RegistryEntry {
  readonly attestationIndex: number;
  /** Time of the final block, in seconds since 1970. */
  readonly viewedAt: number;
}

const noEntry: RegistryEntry = { quoteRoot: zeroHash, timestamp: 0, revokedAt: 0 };

/** Reads the registry's entry of a content. Index and entry come from one block of one provider. */
export function finalEntry(
  services: Pick<ReadServices, 'chain'>,
  content: ContentUnderAuthority & { readonly chainId: number },
): Promise<FinalEntry> {
  return services.chain(content.chainId).atFinal(async (view) => {
    const { attestationIndex } = await view.registryState(content);
    const viewedAt = view.block.timestamp;
    const isMissing = attestationIndex === 0;
    const entry = isMissing ? noEntry : await view.entry(content.registryAddress, attestationIndex);
    return { attestationIndex, viewedAt, ...entry };
  });
}
