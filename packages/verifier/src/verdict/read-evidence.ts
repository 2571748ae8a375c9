import { getAddress, isAddressEqual } from 'viem';
import { type Block, findBlock } from '../chain/block.ts';
import { type BlockView, readAtNewest } from '../chain/block-view.ts';
import { knownRegistries, type RegistryCode, recognizeRegistry } from '../chain/known-registries.ts';
import { NodeRefusalError, type Provider, ProviderFaultError } from '../chain/provider.ts';
import { RegistryView } from '../chain/registry-calls.ts';
import type { Address } from '../hex.ts';
import type { AttestationReference } from '../reference/reference.ts';
import { type OtherRegistries, type RegistryRecord, readRecord } from './read-record.ts';

/** Answers of one provider, all at one block. */
export interface Evidence {
  readonly block: Block;
  /** The newest final block; `undefined` where the provider does not tell. */
  readonly finalBlock: Block | undefined;
  /** `undefined` when there is no code at the registry's address. */
  readonly registry: RegistryCode | undefined;
  /** `undefined` unless the registry is known: the answers of other code mean nothing. */
  readonly record: RegistryRecord | undefined;
}

/** The registries that are named, and the published ones where there is a correction: few attestations have one. */
async function findOthers(
  view: BlockView,
  { reference: { chainId, registryAddress }, otherRegistries }: EvidenceQuery,
  isCorrected: boolean,
): Promise<OtherRegistries> {
  const listed = isCorrected ? [...otherRegistries, ...knownRegistries(chainId)] : otherRegistries;
  const others = [...new Set(listed.map((address) => getAddress(address)))].filter(
    (address) => !isAddressEqual(address, registryAddress),
  );
  const codes = await Promise.all(others.map((address) => view.code(address)));
  const isKnown = others.map(
    (address, place) => recognizeRegistry(chainId, address, codes[place] ?? '0x')?.version !== undefined,
  );
  const known = others.filter((_, place) => isKnown[place]).map((address) => new RegistryView(view, address));
  const named = new Set(otherRegistries.map((address) => getAddress(address)));
  return { known, unknown: others.filter((address, place) => !isKnown[place] && named.has(address)) };
}

/** The final block, for a provider that knows the tag. @throws ProviderFaultError */
export async function findFinalBlock(provider: Provider): Promise<Block | undefined> {
  try {
    return await findBlock(provider, 'finalized');
  } catch (error) {
    if (error instanceof NodeRefusalError) return undefined;
    throw error;
  }
}

/** Asks a provider which chain it serves. @throws ProviderFaultError unless it is this one */
export async function checkChain(provider: Provider, chainId: number): Promise<void> {
  const answer = await provider.askPart('eth_chainId', []).catch((error: unknown) => {
    throw error instanceof NodeRefusalError ? new ProviderFaultError(error.message) : error;
  });
  const served = answer.quantity();
  if (served !== chainId) throw new ProviderFaultError(`serves chain ${served}, not ${chainId}`);
}

/** The reference, and where else its corrections are looked for. */
export interface EvidenceQuery {
  readonly reference: AttestationReference;
  /** Addresses of registries on the chain beside the known ones. */
  readonly otherRegistries: readonly Address[];
}

/** Reads all that a verdict needs from one provider, and judges nothing. @throws ProviderFaultError */
export async function readEvidence(provider: Provider, query: EvidenceQuery): Promise<Evidence> {
  const { chainId, registryAddress } = query.reference;
  await checkChain(provider, chainId);
  return readAtNewest(provider, async (view) => {
    const registry = recognizeRegistry(chainId, registryAddress, await view.code(registryAddress));
    const evidence = { block: view.block, registry, finalBlock: await findFinalBlock(provider) };
    if (registry?.version === undefined) return { ...evidence, record: undefined };
    const own = new RegistryView(view, registryAddress);
    const record = await readRecord(own, query.reference, (isCorrected) =>
      findOthers(view, query, isCorrected),
    );
    return { ...evidence, record };
  });
}
