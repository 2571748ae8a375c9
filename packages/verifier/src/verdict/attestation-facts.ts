import { lastBlockAt } from '../chain/block-at-time.ts';
import { NodeRefusalError, ProviderFaultError } from '../chain/provider.ts';
import type { RegistryEntry } from '../chain/registry-calls.ts';
import type { Witness } from './ask-providers.ts';
import type { AttestationFacts, RevealBlock } from './verdict.ts';

async function findRevealBlock(
  { provider, evidence }: Witness,
  attestedAt: number,
): Promise<RevealBlock | undefined> {
  try {
    const { block } = evidence;
    const found = await lastBlockAt(provider, attestedAt, block);
    return found && { number: found.number, depth: block.number - found.number + 1 };
  } catch (error) {
    // Many providers do not keep old blocks; the verdict does not depend on it.
    if (error instanceof NodeRefusalError || error instanceof ProviderFaultError) return undefined;
    throw error;
  }
}

/** The facts of an entry on which these providers agree. Each looks for the block: one alone makes nothing deeper. */
export async function factsOf(
  entry: RegistryEntry,
  witnesses: readonly Witness[],
): Promise<AttestationFacts> {
  const { digest, quoteRoot, authorityAddress, timestamp: attestedAt, revokedAt } = entry;
  const blocks = await Promise.all(witnesses.map((witness) => findRevealBlock(witness, attestedAt)));
  const [revealBlock] = blocks.filter((block) => block !== undefined).sort((a, b) => a.depth - b.depth);
  return { digest, quoteRoot, authorityAddress, attestedAt, revokedAt, revealBlock };
}
