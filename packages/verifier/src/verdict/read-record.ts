import { isAddressEqual } from 'viem';
import { ContradictionError } from '../chain/provider.ts';
import type { Registry, RegistryEntry } from '../chain/registry-calls.ts';
import type { Address, Hex } from '../hex.ts';
import { digestOfCid } from '../reference/content-cid.ts';
import type { AttestationReference } from '../reference/reference.ts';
import { type Corrections, entryAt, readCorrections } from './read-corrections.ts';

/** The first attestation of a content, by an authority other than that of the reference. */
export interface EarlierAttestation {
  readonly authorityAddress: Address;
  readonly attestationIndex: number;
  /** Block time of its reveal, in seconds since 1970. */
  readonly attestedAt: number;
  /** Time of its revocation; 0 while it stands. */
  readonly revokedAt: number;
}

/** A known registry's answers about a reference. */
export interface RegistryRecord {
  /** The entry at the index of the reference, of any content and authority. */
  readonly entry: RegistryEntry | undefined;
  /** Index under which the authority attested the content; 0 when it did not. */
  readonly indexByAuthority: number;
  /** `undefined` when the authority was the first, or nothing was found. */
  readonly firstAttestedBy: EarlierAttestation | undefined;
  /** `undefined` when no attestation was found. */
  readonly corrections: Corrections | undefined;
}

/** Whether the registry holds exactly what the reference says. */
export function isFound(reference: AttestationReference, { indexByAuthority }: RegistryRecord): boolean {
  return indexByAuthority === reference.attestationIndex;
}

async function readFirst(
  registry: Registry,
  digest: Hex,
  { attestationIndex: own, authorityAddress }: AttestationReference,
) {
  const attestationIndex = await registry.firstIndex(digest);
  if (attestationIndex === own) return undefined;
  const first = attestationIndex === 0 ? undefined : await registry.entry(attestationIndex);
  // Each authority has one attestation of a content, and this one has its own.
  if (first?.digest !== digest || isAddressEqual(first.authorityAddress, authorityAddress))
    throw new ContradictionError('its first attestation of the content is not one');
  const { timestamp: attestedAt, revokedAt } = first;
  return { authorityAddress: first.authorityAddress, attestationIndex, attestedAt, revokedAt };
}

/** Registries in which corrections are looked for beside that of the reference. */
export interface OtherRegistries {
  readonly known: readonly Registry[];
  /** Addresses that were named, at which no known registry is. */
  readonly unknown: readonly Address[];
}

const noOthers = async (): Promise<OtherRegistries> => ({ known: [], unknown: [] });

/**
 * Reads what a registry holds of a reference, and its corrections in others that `findOthers` finds. @throws
 * ProviderFaultError
 */
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
  const entry = await entryAt(registry, attestationIndex, digest, authorityAddress);
  const { known, unknown } = await findOthers(entry.childDigest !== undefined);
  const [firstAttestedBy, followed] = await Promise.all([
    readFirst(registry, digest, reference),
    readCorrections([registry, ...known], entry, attestationIndex),
  ]);
  const corrections = unknown.length === 0 ? followed : { ...followed, unknownRegistries: unknown };
  return { entry, indexByAuthority, firstAttestedBy, corrections };
}
