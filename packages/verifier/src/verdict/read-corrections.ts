import { isAddressEqual } from 'viem';
import { ContradictionError } from '../chain/provider.ts';
import type { Registry, RegistryEntry } from '../chain/registry-calls.ts';
import type { Address, Hex } from '../hex.ts';
import { cidOfDigest } from '../reference/content-cid.ts';

/** An attestation that supersedes another. */
export interface Correction {
  readonly contentCid: string;
  /** The registry of the reference, or another that was searched. */
  readonly registryAddress: Address;
  readonly attestationIndex: number;
  /** Block time of its reveal, in seconds since 1970. */
  readonly attestedAt: number;
}

/**
 * Why the chain of corrections ends: no successor (`newest`); or the successor is not attested (`missing`), attested only by
 * other authorities (`foreign`), revoked (`revoked`), already in the chain (`loop`), or beyond the maximum (`limit`).
 */
export type CorrectionsEnd = 'newest' | 'missing' | 'foreign' | 'revoked' | 'loop' | 'limit';

/** The chain of corrections of an attestation. */
export interface Corrections {
  /** Valid corrections by the same authority, oldest first. */
  readonly followed: readonly Correction[];
  readonly end: CorrectionsEnd;
  /** CID of the successor that was not followed; only if `end` is not `newest`. */
  readonly unfollowedCid?: string;
  /** Addresses of `otherRegistries` without a known registry, if any. */
  readonly unknownRegistries?: readonly Address[];
}

export const maxCorrections = 100;

/** Reads the entry that a look-up found. @throws ContradictionError if it has another content or authority */
export async function readEntryAt(registry: Registry, index: number, digest: Hex, authority: Address) {
  const entry = await registry.entry(index);
  if (entry?.digest === digest && isAddressEqual(entry.authorityAddress, authority)) return entry;
  throw new ContradictionError('its look-ups by index and by content disagree');
}

interface Location {
  readonly registry: Registry;
  readonly attestationIndex: number;
}

async function findLocation(registries: readonly Registry[], digest: Hex, authorityAddress: Address) {
  for (const registry of registries) {
    const attestationIndex = await registry.indexBy(digest, authorityAddress);
    if (attestationIndex !== 0) return { registry, attestationIndex };
  }
  return undefined;
}

async function isAttestedByAnyone(registries: readonly Registry[], digest: Hex): Promise<boolean> {
  const indices = await Promise.all(registries.map((registry) => registry.firstIndex(digest)));
  return indices.some((index) => index !== 0);
}

const keyOf = ({ registry, attestationIndex }: Location) => `${registry.address}/${attestationIndex}`;

/**
 * Follows the children of an entry by the same authority.
 * @param registries registries to search, that of the entry first
 */
export async function readCorrections(
  registries: readonly [Registry, ...Registry[]],
  { authorityAddress, childDigest }: RegistryEntry,
  attestationIndex: number,
): Promise<Corrections> {
  const followed: Correction[] = [];
  const visited = new Set([keyOf({ registry: registries[0], attestationIndex })]);
  let digest = childDigest;
  while (digest !== undefined) {
    const contentCid = cidOfDigest(digest);
    const endWith = (end: CorrectionsEnd): Corrections => ({ followed, end, unfollowedCid: contentCid });
    const location = await findLocation(registries, digest, authorityAddress);
    if (!location) return endWith((await isAttestedByAnyone(registries, digest)) ? 'foreign' : 'missing');
    if (visited.has(keyOf(location))) return endWith('loop');
    const child = await readEntryAt(location.registry, location.attestationIndex, digest, authorityAddress);
    if (child.revokedAt !== 0) return endWith('revoked');
    if (followed.length === maxCorrections) return endWith('limit');
    visited.add(keyOf(location));
    const { address: registryAddress } = location.registry;
    const index = location.attestationIndex;
    followed.push({ contentCid, registryAddress, attestationIndex: index, attestedAt: child.timestamp });
    digest = child.childDigest;
  }
  return { followed, end: 'newest' };
}
