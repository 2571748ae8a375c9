import { recognizeRegistry } from '../chain/known-registries.ts';
import { ContradictionError } from '../chain/provider.ts';
import type { Hex } from '../hex.ts';
import { digestOfCid } from '../reference/content-cid.ts';
import { type AttestationReference, asReference, formatReference } from '../reference/reference.ts';
import { ProofUnsoundError } from '../trie/rlp.ts';
import { type Judgment, judge } from '../verdict/judge.ts';
import type { Evidence } from '../verdict/read-evidence.ts';
import { type RegistryRecord, readRecord } from '../verdict/read-record.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { type Claim, claimOf, makeVerdict, type VerifyOptions } from '../verdict/verify.ts';
import { findContradiction } from './contradiction.ts';
import { parseProof } from './parse-proof.ts';
import type { ProofFile } from './proof-file.ts';
import { ProvenState } from './proven-state.ts';
import { StoredRegistry } from './stored-registry.ts';

/** Options of `verifyOffline`. */
export interface VerifyOfflineOptions extends Pick<VerifyOptions, 'text' | 'now'> {
  /** Hash of the proof's block from a trusted source: a node, an explorer, a light client. Never take it from the proof. */
  readonly blockHash: string;
  /** The expected reference, if you know it. */
  readonly reference?: AttestationReference | string | undefined;
}

/** A verdict from a proof file. */
export interface OfflineVerdict extends Verdict {
  /** Names of fields that the file does not prove, such as "attested.revealTransaction". */
  readonly notChecked: readonly string[];
}

export class BlockHashInvalidError extends Error {
  override name = 'BlockHashInvalidError';
  constructor() {
    super('a block hash must be 0x and 64 hexadecimal digits');
  }
}

function parseBlockHash(text: string): Hex {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new BlockHashInvalidError();
  return text.toLowerCase() as Hex;
}

/** If the look-up finds another index, the file need not prove the entry at the reference's index. */
async function recordOf(registry: StoredRegistry, reference: AttestationReference): Promise<RegistryRecord> {
  const digest = digestOfCid(reference.contentCid);
  const indexByAuthority = await registry.indexBy(digest, reference.authorityAddress);
  if (indexByAuthority === reference.attestationIndex) return readRecord(registry, reference);
  return { entry: undefined, indexByAuthority, firstAttestedBy: undefined, corrections: undefined };
}

/** Reads the evidence from the proof. @throws ProofUnsoundError, ContradictionError */
async function provenEvidence({ storage, reference }: ProofFile, blockHash: Hex): Promise<Evidence> {
  if (!storage) throw new ProofUnsoundError('it has no storage, which the offline check needs');
  const state = new ProvenState(storage);
  const { block } = state;
  if (block.hash !== blockHash)
    throw new ProofUnsoundError(`it is for block ${block.number} with hash ${block.hash}, not ${blockHash}`);
  const { chainId, registryAddress } = reference;
  const registry = recognizeRegistry(chainId, registryAddress, await state.code(registryAddress));
  const evidence = { block, registry, finalBlock: undefined };
  if (registry?.version === undefined) return { ...evidence, record: undefined };
  const stored = StoredRegistry.ofVersion(registry.version, registryAddress, state);
  if (!stored) throw new ProofUnsoundError(`the storage layout of ${registry.version} is not known`);
  return { ...evidence, record: await recordOf(stored, reference) };
}

function notCheckedIn({ content, attested, publisher, storage }: ProofFile, hasText: boolean): string[] {
  const parts = {
    'content.bytes': hasText ? undefined : content.bytes,
    'content.quoteTree': content.quoteTree,
    'attested.commitTransaction': attested.commitTransaction,
    'attested.revealTransaction': attested.revealTransaction,
    'attested.block': attested.block,
    'publisher.domain': publisher?.domain,
    'storage.block.final': storage?.block.final,
  };
  return Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

async function examine(
  proof: ProofFile,
  expected: AttestationReference,
  blockHash: Hex,
  { input, text }: Pick<Claim, 'input' | 'text'>,
): Promise<{ judgment: Judgment; evidence: Evidence }> {
  const { reference } = proof;
  if (formatReference(expected) !== formatReference(reference))
    throw new ProofUnsoundError(`it is for another attestation, ${formatReference(reference)}`);
  const evidence = await provenEvidence(proof, blockHash);
  const { outcome, reason } = judge(reference, evidence, text);
  const wrong = findContradiction(proof, evidence, text?.isContent ? input : undefined);
  if (wrong !== undefined) throw new ProofUnsoundError(`${wrong} does not match the storage or the text`);
  const condition = `As of block ${evidence.block.number} of chain ${reference.chainId}, if ${blockHash} is that block.`;
  return { judgment: { outcome, reason: `${reason} ${condition}` }, evidence };
}

/**
 * Verifies an attestation, and the text if given, from a proof file and a block hash, without network access. The
 * outcome is that of `verify` at that block, if the chain has a block with that hash. An invalid proof has the outcome
 * `unknown`.
 * @throws ProofInvalidError for a malformed file, BlockHashInvalidError, ReferenceInvalidError
 */
export async function verifyOffline(
  file: string | Uint8Array | object,
  options: VerifyOfflineOptions,
): Promise<OfflineVerdict> {
  const blockHash = parseBlockHash(options.blockHash);
  const proof = parseProof(file);
  const { reference } = proof;
  const expected = asReference(options.reference ?? reference);
  const claim = claimOf(reference, options);
  const { judgment, evidence } = await examine(proof, expected, blockHash, claim).catch(judgeInvalid);
  // The file cannot prove that its block is final.
  const noAnswers = { witnesses: [], reports: [], asked: [], isNotYetFinal: true };
  const verdict = await makeVerdict(claim, judgment, evidence, noAnswers);
  return { ...verdict, notChecked: notCheckedIn(proof, claim.text?.isContent === true) };
}

function judgeInvalid(error: unknown): { judgment: Judgment; evidence: undefined } {
  if (!(error instanceof ProofUnsoundError || error instanceof ContradictionError)) throw error;
  const reason = `The proof is invalid: ${error.message}.`;
  return { judgment: { outcome: 'unknown', reason }, evidence: undefined };
}
