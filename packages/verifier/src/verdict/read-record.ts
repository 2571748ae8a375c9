import { isAddressEqual } from 'viem';
import { ContradictionError } from '../chain/provider.ts';
import type { Registry, RegistryEntry } from '../chain/registry-calls.ts';
import type { Address, Hex } from '../hex.ts';
import { digestOfCid } from '../reference/content-cid.ts';
import type { AttestationReference } from '../reference/reference.ts';
import { type Corrections, readCorrections, readEntryAt } from './read-corrections.ts';

/** The first attestation of a content, by another authority. */
export interface EarlierAttestation {
  readonly authorityAddress: Address;
  readonly attestationIndex: number;
  /** Block time of its reveal, in seconds since 1970. */
  readonly attestedAt: number;
  /** Time of its revocation; 0 if it is not revoked. */
  readonly revokedAt: number;
}

/** A known registry's answers about a reference. */
export interface RegistryRecord {
  /** The entry at the reference's index, with any content and authority. */
  readonly entry: RegistryEntry | undefined;
  /** Index of the authority's attestation of the content; 0 if there is none. */
  readonly indexByAuthority: number;
  /** `undefined` if the authority was the first, or nothing was found. */
  readonly firstAttestedBy: EarlierAttestation | undefined;
  /** `undefined` if nothing was found. */
  readonly corrections: Corrections | undefined;
}

export function isFound(reference: AttestationReference, { indexByAuthority }: RegistryRecord): boolean {
  return indexByAuthority === reference.attestationIndex;
}

async function readFirst(
  registry: Registry,
  digest: Hex,
  { attestationIndex: ownIndex, authorityAddress }: AttestationReference,
) {
  const attestationIndex = await registry.firstIndex(digest);
  if (attestationIndex === ownIndex) return undefined;
  const first = attestationIndex === 0 ? undefined : await registry.entry(attestationIndex);
  // An authority has at most one attestation of a content.
  if (first?.digest !== digest || isAddressEqual(first.authorityAddress, authorityAddress))
    throw new ContradictionError(
      'its first attestation of this content has another content or this authority',
    );
  const { timestamp: attestedAt, revokedAt } = first;
  return { authorityAddress: first.authorityAddress, attestationIndex, attestedAt, revokedAt };
}

export interface OtherRegistries {
  readonly known: readonly Registry[];
  /** Named addresses without a known registry. */
  readonly unknown: readonly Address[];
}

const noOthers = async (): Promise<OtherRegistries> => ({ known: [], unknown: [] });

/** Reads a registry's record of a reference, and corrections also in the registries of `findOthers`. @throws ProviderFaultError */
export async function readRecord(
  registry: Registry,
  reference: AttestationReference,
  findOthers: (isCorrected: boolean) => Promise<OtherRegistries> = noOthers,
): Promise<RegistryRecord> {
  const { attestationIndex, authorityAddress } = reference;
  const digest = digestOfCid(reference.contentCid);
  const indexByAuthority = await registry.indexBy(digest, authorityAddress);
  if (indexByAuthority !== attestationIndex) {
    const entry = await registry.entry(attestationIndex);
    if (entry?.digest === digest && isAddressEqual(entry.authorityAddress, authorityAddress))
      throw new ContradictionError('its look-ups by index and by content disagree');
    return { entry, indexByAuthority, firstAttestedBy: undefined, corrections: undefined };
  }
  const entry = await readEntryAt(registry, attestationIndex, digest, authorityAddress);
  const { known, unknown } = await findOthers(entry.childDigest !== undefined);
  const [firstAttestedBy, followed] = await Promise.all([
    readFirst(registry, digest, reference),
    readCorrections([registry, ...known], entry, attestationIndex),
  ]);
  const corrections = unknown.length === 0 ? followed : { ...followed, unknownRegistries: unknown };
  return { entry, indexByAuthority, firstAttestedBy, corrections };
}
