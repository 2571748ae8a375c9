/** The library's entry, for Node and browsers: everything that a program that verifies attestations imports. */

export type { Block } from './chain/block.ts';
export { postJsonRpc, readBody } from './chain/json-rpc.ts';
export * from './chain/known-chains.ts';
export {
  isPublicRegistry,
  knownRegistries,
  type RegistryCode,
  recognizeRegistry,
} from './chain/known-registries.ts';
export type { RecordedRequest } from './chain/provider.ts';
export { type RequestFunction, type RpcEndpoint, RpcUrlInvalidError } from './chain/rpc-endpoint.ts';
export * from './events/event-reader.ts';
export type { AuthorityEvent } from './events/read-events.ts';
export { type FileKind, fileKind } from './file-kind.ts';
export type { Address, Hex } from './hex.ts';
export * from './page/page-marks.ts';
export * from './page/page-references.ts';
export { toPageVerdict, withPageNotices } from './page/page-verdict.ts';
export * from './page/text-links.ts';
export { compareWithProof } from './proof/contradiction.ts';
export { ProofUnavailableError } from './proof/first-answer.ts';
export { ProofInvalidError, parseProof } from './proof/parse-proof.ts';
export * from './proof/proof-file.ts';
export { renewProof, type TakeProofOptions, takeProof } from './proof/take-proof.ts';
export * from './proof/verify-offline.ts';
export * from './publisher/authorities-file.ts';
export * from './publisher/check-publisher.ts';
export * from './publisher/check-signature.ts';
export * from './publisher/domain.ts';
export { AttestedText, AttestedTextMismatchError, PassageInvalidError } from './quote/attested-text.ts';
export * from './quote/parse-quote-proof.ts';
export {
  type QuoteLeaf,
  type QuoteProof,
  QuoteProofInvalidError,
  type QuoteSegment,
} from './quote/quote-proof.ts';
export * from './quote/verify-quote.ts';
export { cidOfDigest } from './reference/content-cid.ts';
export { type AttestationReference, formatReference, parseReference } from './reference/reference.ts';
export { parseAddress, ReferenceInvalidError } from './reference/reference-parts.ts';
export type { AccidentKind } from './text/accidents.ts';
export type { Difference, TextComparison } from './text/compare-text.ts';
export { exactText, exactTextProfile, type HiddenCharacter, hiddenCharacters } from './text/exact-text.ts';
export * from './text/text-of-markup.ts';
export * from './verdict/outcome.ts';
export type { Correction, Corrections, CorrectionsEnd } from './verdict/read-corrections.ts';
export { isoTime } from './verdict/sentences.ts';
export type * from './verdict/verdict.ts';
export { type VerifyOptions, verify } from './verdict/verify.ts';
