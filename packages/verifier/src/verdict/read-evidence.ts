import { getAddress, isAddressEqual } from 'viem';
import { type Block, findBlock } from '../chain/block.ts';
import { type BlockView, readAtNewest } from '../chain/block-view.ts';
import { knownRegistries, type RegistryCode, recognizeRegistry } from '../chain/known-registries.ts';
import { NodeRefusalError, type Provider, ProviderFaultError } from '../chain/provider.ts';
import { RegistryView } from '../chain/registry-calls.ts';
import type { Address } from '../hex.ts';
import type { AttestationReference } from '../reference/reference.ts';
import { type OtherRegistries, type RegistryRecord, readRecord } from './read-record.ts';

export interface Evidence {
  readonly block: Block;
  /** The newest final block; `undefined` if the provider does not know it. */
  readonly finalBlock: Block | undefined;
  /** `undefined` without code at the registry's address. */
  readonly registry: RegistryCode | undefined;
  /** `undefined` unless the registry is known. */
  readonly record: RegistryRecord | undefined;
}

/** Finds the named registries and, if there is a correction, the published ones. */
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
    (address, index) => recognizeRegistry(chainId, address, codes[index] ?? '0x')?.version !== undefined,
  );
  const known = others.filter((_, index) => isKnown[index]).map((address) => new RegistryView(view, address));
  const named = new Set(otherRegistries.map((address) => getAddress(address)));
  return { known, unknown: others.filter((address, index) => !isKnown[index] && named.has(address)) };
}

/** The final block; `undefined` if the provider does not know the tag. @throws ProviderFaultError */
export async function findFinalBlock(provider: Provider): Promise<Block | undefined> {
  try {
    return await findBlock(provider, 'finalized');
  } catch (error) {
    if (error instanceof NodeRefusalError) return undefined;
    throw error;
  }
}

/** @throws ProviderFaultError unless the provider serves this chain */
export async function checkChain(provider: Provider, chainId: number): Promise<void> {
  const answer = await provider.requestPart('eth_chainId', []).catch((error: unknown) => {
    throw error instanceof NodeRefusalError ? new ProviderFaultError(error.message) : error;
  });
  const served = answer.quantity();
  if (served !== chainId) throw new ProviderFaultError(`serves chain ${served}, not ${chainId}`);
}

export interface EvidenceQuery {
  readonly reference: AttestationReference;
  readonly otherRegistries: readonly Address[];
}

/** Reads all that a judgment needs from one provider. @throws ProviderFaultError */
export async function readEvidence(provider: Provider, query: EvidenceQuery): Promise<Evidence> {
  const { chainId, registryAddress } = query.reference;
  await checkChain(provider, chainId);
  return readAtNewest(provider, async (view) => {
    const registry = recognizeRegistry(chainId, registryAddress, await view.code(registryAddress));
    const evidence = { block: view.block, registry, finalBlock: await findFinalBlock(provider) };
    if (registry?.version === undefined) return { ...evidence, record: undefined };
    const registryView = new RegistryView(view, registryAddress);
    const record = await readRecord(registryView, query.reference, (isCorrected) =>
      findOthers(view, query, isCorrected),
    );
    return { ...evidence, record };
  });
}
