import { type Address, type Hex, isAddressEqual } from 'viem';
import { type Block, findBlock } from '../chain/block.ts';
import { type BlockView, readAtNewest } from '../chain/block-view.ts';
import { type RegistryCode, recognizeRegistry } from '../chain/known-registries.ts';
import {
  ContradictionError,
  NodeRefusalError,
  type Provider,
  ProviderFaultError,
} from '../chain/provider.ts';
import { type RegistryEntry, RegistryView } from '../chain/registry-calls.ts';
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

/** What a known registry holds of a reference. */
export interface RegistryRecord {
  /** The entry at the index of the reference, of whatever content and authority. */
  readonly entry: RegistryEntry | undefined;
  /** Index under which the authority attested the content; 0 when it did not. */
  readonly indexByAuthority: number;
  /** `undefined` when the authority was the first, or nothing was found. */
  readonly firstAttestedBy: EarlierAttestation | undefined;
  /** `undefined` when no attestation was found. */
  readonly corrections: Corrections | undefined;
}

/** Answers of one provider, all at one block. */
export interface Evidence {
  readonly block: Block;
  /** The newest final block; `undefined` where the provider does not tell. */
  readonly finalBlock: Block | undefined;
  /** `undefined` when there is no code at the registry's address. */
  readonly registry: RegistryCode | undefined;
  /** `undefined` unless the registry is known: whatever other code answers means nothing. */
  readonly record: RegistryRecord | undefined;
}

/** Whether the registry holds exactly what the reference says. */
export function isFound(reference: AttestationReference, { indexByAuthority }: RegistryRecord): boolean {
  return indexByAuthority === reference.attestationIndex;
}

async function readFirst(registry: RegistryView, digest: Hex, authorityAddress: Address) {
  const attestationIndex = await registry.firstIndex(digest);
  const first = attestationIndex === 0 ? undefined : await registry.entry(attestationIndex);
  if (first?.digest !== digest) throw new ContradictionError('no attestation of the content is the first');
  if (isAddressEqual(first.authorityAddress, authorityAddress)) return undefined;
  const { timestamp: attestedAt, revokedAt } = first;
  return { authorityAddress: first.authorityAddress, attestationIndex, attestedAt, revokedAt };
}

/** @throws ProviderFaultError, among them ContradictionError */
async function readRecord(registry: RegistryView, reference: AttestationReference): Promise<RegistryRecord> {
  const { attestationIndex, authorityAddress } = reference;
  const digest = digestOfCid(reference.contentCid);
  const indexByAuthority = await registry.indexBy(digest, authorityAddress);
  if (indexByAuthority !== attestationIndex) {
    const entry = await registry.entry(attestationIndex);
    if (entry?.digest === digest && isAddressEqual(entry.authorityAddress, authorityAddress))
      throw new ContradictionError('an attestation is not found by its content');
    return { entry, indexByAuthority, firstAttestedBy: undefined, corrections: undefined };
  }
  const entry = await entryAt(registry, attestationIndex, digest, authorityAddress);
  const [firstAttestedBy, corrections] = await Promise.all([
    readFirst(registry, digest, authorityAddress),
    readCorrections(registry, entry, attestationIndex),
  ]);
  return { entry, indexByAuthority, firstAttestedBy, corrections };
}

/** The final block, for a provider that knows the tag. */
async function findFinalBlock(provider: Provider): Promise<Block | undefined> {
  try {
    return await findBlock(provider, 'finalized');
  } catch (error) {
    if (error instanceof NodeRefusalError) return undefined;
    throw error;
  }
}

async function checkChain(provider: Provider, chainId: number): Promise<void> {
  const answer = await provider.ask('eth_chainId', []).catch((error: unknown) => {
    throw error instanceof NodeRefusalError ? new ProviderFaultError(error.message) : error;
  });
  const served = Number(answer);
  if (served !== chainId)
    throw new ProviderFaultError(
      Number.isSafeInteger(served)
        ? `serves the chain ${served}, not ${chainId}`
        : 'gives no usable answer to eth_chainId',
    );
}

/** Reads all that a verdict needs from one provider, and judges nothing. @throws ProviderFaultError */
export async function readEvidence(provider: Provider, reference: AttestationReference): Promise<Evidence> {
  await checkChain(provider, reference.chainId);
  return readAtNewest(provider, async (view: BlockView) => {
    const { chainId, registryAddress } = reference;
    const registry = recognizeRegistry(chainId, registryAddress, await view.code(registryAddress));
    const believed = registry?.version !== undefined;
    const record = believed
      ? await readRecord(new RegistryView(view, registryAddress), reference)
      : undefined;
    return { block: view.block, finalBlock: await findFinalBlock(provider), registry, record };
  });
}
