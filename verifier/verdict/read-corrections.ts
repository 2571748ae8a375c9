import { type Hex, isAddressEqual } from 'viem';
import { ContradictionError } from '../chain/provider.ts';
import type { RegistryEntry, RegistryView } from '../chain/registry-calls.ts';
import { cidOfDigest } from '../reference/content-cid.ts';

/** An attestation that supersedes another. */
export interface Correction {
  readonly contentCid: string;
  readonly attestationIndex: number;
  /** Block time of its reveal, in seconds since 1970. */
  readonly attestedAt: number;
}

/**
 * Why no further correction was followed: the last one names none (`newest`); the one it names is not attested
 * (`missing`), attested only by other authorities (`foreign`) or withdrawn (`revoked`), or one met before (`loop`); or
 * there are more than are followed (`limit`).
 */
export type CorrectionsEnd = 'newest' | 'missing' | 'foreign' | 'revoked' | 'loop' | 'limit';

/** The chain of corrections from an attestation on. */
export interface Corrections {
  /** Corrections that were followed, oldest first: attested by the same authority, and standing. */
  readonly followed: readonly Correction[];
  readonly end: CorrectionsEnd;
  /** CID of the content that was named and not followed; only where `end` is not `newest`. */
  readonly unfollowedCid?: string;
}

/** Number of corrections that are followed at most. */
export const maxCorrections = 100;

/** Reads the entry that the look-up by content and authority led to. @throws ContradictionError when the two do not agree */
export async function entryAt(
  registry: RegistryView,
  index: number,
  digest: Hex,
  by: RegistryEntry['authorityAddress'],
) {
  const entry = await registry.entry(index);
  if (entry?.digest === digest && isAddressEqual(entry.authorityAddress, by)) return entry;
  throw new ContradictionError('the index of a content leads to something else');
}

/**
 * Follows the children of an entry, by (digest of the child, authority of the parent). Children of other authorities are
 * told and not followed: any authority can name any content.
 */
export async function readCorrections(
  registry: RegistryView,
  entry: RegistryEntry,
  attestationIndex: number,
): Promise<Corrections> {
  const { authorityAddress } = entry;
  const followed: Correction[] = [];
  const met = new Set([attestationIndex]);
  let digest = entry.childDigest;
  while (digest !== undefined) {
    const ending = (end: CorrectionsEnd): Corrections => ({ followed, end, unfollowedCid });
    const unfollowedCid = cidOfDigest(digest);
    const index = await registry.indexBy(digest, authorityAddress);
    if (index === 0) return ending((await registry.firstIndex(digest)) === 0 ? 'missing' : 'foreign');
    if (met.has(index)) return ending('loop');
    const child = await entryAt(registry, index, digest, authorityAddress);
    if (child.revokedAt !== 0) return ending('revoked');
    if (followed.length === maxCorrections) return ending('limit');
    met.add(index);
    followed.push({ contentCid: unfollowedCid, attestationIndex: index, attestedAt: child.timestamp });
    digest = child.childDigest;
  }
  return { followed, end: 'newest' };
}
