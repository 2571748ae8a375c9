import { findBlock } from '../chain/block.ts';
import { defaultTimeoutMilliseconds } from '../chain/deadline.ts';
import { recognizeRegistry } from '../chain/known-registries.ts';
import { malformedAnswer, NodeRefusalError, type Provider, ProviderFaultError } from '../chain/provider.ts';
import type { RpcEndpoint } from '../chain/rpc-endpoint.ts';
import { type AttestationReference, formatReference } from '../reference/reference.ts';
import { encodeHeader } from '../trie/block-header.ts';
import { checkChain, findFinalBlock } from '../verdict/read-evidence.ts';
import { readRecord } from '../verdict/read-record.ts';
import { isoTime } from '../verdict/sentences.ts';
import type { AttestationFacts, Verdict } from '../verdict/verdict.ts';
import { type VerifyOptions, verify } from '../verdict/verify.ts';
import { firstAnswer, ProofUnavailableError } from './first-answer.ts';
import { ProofInvalidError } from './parse-proof.ts';
import type { ProofFile, ProofStorage } from './proof-file.ts';
import { RpcState } from './rpc-state.ts';
import { StoredRegistry } from './stored-registry.ts';
import { verifyOffline } from './verify-offline.ts';

/** Options of `takeProof`. */
export interface TakeProofOptions extends Pick<VerifyOptions, 'timeoutMilliseconds'> {
  /** Whether to include `storage`; default `true`. The public registry needs `false`. */
  readonly storage?: boolean | undefined;
  /** The attested text. The proof file gets only the text's length. */
  readonly text?: string | Uint8Array | undefined;
  /** An earlier file of the same attestation, whose fields from the service are kept. */
  readonly earlier?: ProofFile | undefined;
}

async function isFinal(provider: Provider, number: number): Promise<boolean> {
  return ((await findFinalBlock(provider))?.number ?? -1) >= number;
}

/** Reads all that a verdict needs from the newest block's storage, with proofs. */
async function readStorage(provider: Provider, reference: AttestationReference): Promise<ProofStorage> {
  const { chainId, registryAddress } = reference;
  await checkChain(provider, chainId);
  const block = await provider.requestPart('eth_getBlockByNumber', ['latest', false]);
  const [number, hash] = [block.field('number').quantity(), block.field('hash').hash()];
  const header = encodeHeader(block.value as object);
  if (!header) throw new ProviderFaultError('returned a block header with unknown fields');
  const state = new RpcState(provider, number);
  const code = recognizeRegistry(chainId, registryAddress, await state.code(registryAddress));
  const registry = StoredRegistry.ofVersion(code?.version, registryAddress, state);
  if (!registry) throw new ProviderFaultError('has a registry whose storage layout is not known');
  await readRecord(registry, reference);
  const accounts = await state.proofs();
  return { block: { number, hash, header, final: await isFinal(provider, number) }, accounts };
}

const attempts = 3;

/** Retries, because the block may be replaced, or missing at another node behind the same URL. */
async function addStorage(provider: Provider, file: ProofFile): Promise<ProofFile> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryAddStorage(provider, file);
    } catch (error) {
      const isTransient = error instanceof NodeRefusalError || error instanceof ProviderFaultError;
      if (!isTransient || attempt === attempts) throw error;
    }
  }
}

function throwFault(error: unknown): never {
  throw error instanceof ProofInvalidError ? malformedAnswer('eth_getProof') : error;
}

async function tryAddStorage(provider: Provider, file: ProofFile): Promise<ProofFile> {
  const storage = await readStorage(provider, file.reference);
  const proof = { ...file, storage };
  const { outcome, reason } = await verifyOffline(proof, { blockHash: storage.block.hash }).catch(throwFault);
  if (outcome === 'unknown' || outcome === 'notFound')
    throw new ProviderFaultError(`returned no proof of the attestation: ${reason}`);
  return proof;
}

async function fileWithoutStorage(
  { reference, attestation, registry, outcome, reason }: Verdict,
  providers: readonly RpcEndpoint[],
  timeoutMilliseconds: number,
): Promise<ProofFile> {
  if (outcome === 'altered' || !attestation || !registry) throw new ProofUnavailableError(reason);
  const { quoteRoot, attestedAt } = attestation;
  const block = await findSoleBlock(attestation, providers, timeoutMilliseconds);
  return {
    version: 1,
    reference,
    content: { quoteRoot },
    attested: { ...(block === undefined ? {} : { block }), time: isoTime(attestedAt) },
    registry: { codeHash: registry.codeHash },
  };
}

const byteLength = (text: string | Uint8Array) =>
  typeof text === 'string' ? new TextEncoder().encode(text).length : text.length;

function withEarlierFields(file: ProofFile, { earlier, text }: TakeProofOptions): ProofFile {
  if (earlier && formatReference(earlier.reference) !== formatReference(file.reference))
    throw new ProofUnavailableError('the earlier proof is for another attestation');
  const bytes = text === undefined ? {} : { bytes: byteLength(text) };
  return {
    ...file,
    content: { ...earlier?.content, ...file.content, ...bytes },
    attested: { ...earlier?.attested, ...file.attested },
    publisher: earlier?.publisher,
  };
}

/**
 * Takes a proof of an attestation at the newest block. `verify` verifies the attestation, then the first provider with
 * `eth_getProof` proves its storage.
 * @throws ProofUnavailableError, ReferenceInvalidError, RpcUrlInvalidError
 */
export async function takeProof(
  reference: AttestationReference | string,
  providers: readonly RpcEndpoint[],
  options: TakeProofOptions = {},
): Promise<ProofFile> {
  const { text, timeoutMilliseconds = defaultTimeoutMilliseconds } = options;
  const verdict = await verify(reference, { providers, text, timeoutMilliseconds });
  const file = withEarlierFields(await fileWithoutStorage(verdict, providers, timeoutMilliseconds), options);
  if (options.storage === false) return file;
  return firstAnswer(providers, timeoutMilliseconds, (provider) => addStorage(provider, file));
}

async function readState(provider: Provider, { chainId }: AttestationReference, { block }: ProofStorage) {
  await checkChain(provider, chainId);
  const exists = (await findBlock(provider, block.number))?.hash === block.hash;
  return { exists, final: exists && (await isFinal(provider, block.number)) };
}

/**
 * Renews a proof: sets `final` if its block became final, and takes a new proof after a reorg. Otherwise returns the same
 * object.
 * @throws ProofUnavailableError, RpcUrlInvalidError
 */
export async function renewProof(
  proof: ProofFile,
  providers: readonly RpcEndpoint[],
  options: TakeProofOptions = {},
): Promise<ProofFile> {
  const { reference, storage } = proof;
  if (!storage || storage.block.final) return proof;
  const { timeoutMilliseconds = defaultTimeoutMilliseconds } = options;
  const { exists, final } = await firstAnswer(providers, timeoutMilliseconds, (provider) =>
    readState(provider, reference, storage),
  );
  if (!exists) return takeProof(reference, providers, { ...options, earlier: proof });
  return final ? { ...proof, storage: { ...storage, block: { ...storage.block, final } } } : proof;
}

/** Number of the reveal's block; `undefined` if several blocks have its time, or no provider has old blocks. */
async function findSoleBlock(
  { attestedAt, revealBlock }: AttestationFacts,
  providers: readonly RpcEndpoint[],
  timeoutMilliseconds: number,
): Promise<number | undefined> {
  if (!revealBlock) return undefined;
  const { number } = revealBlock;
  return firstAnswer(providers, timeoutMilliseconds, async (provider) => {
    const [parent, block] = [await findBlock(provider, number - 1), await findBlock(provider, number)];
    if (!parent || !block) throw new ProviderFaultError('does not have the block');
    const isSole = parent.timestamp < attestedAt && block.timestamp === attestedAt;
    return isSole ? number : undefined;
  }).catch((error: unknown) => {
    if (error instanceof ProofUnavailableError) return undefined;
    throw error;
  });
}
