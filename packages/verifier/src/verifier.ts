/** The library's entry, for Node and browsers: everything that a program that verifies attestations imports. */

export type { Block } from './chain/block.ts';
export { postJsonRpc, readBody } from './chain/json-rpc.ts';
export { type KnownChain, knownChains } from './chain/known-chains.ts';
export {
  isPublicRegistry,
  knownRegistries,
  type RegistryCode,
  recognizeRegistry,
} from './chain/known-registries.ts';
export type { AskedQuestion } from './chain/provider.ts';
export { type RequestFunction, type RpcEndpoint, RpcUrlInvalidError } from './chain/rpc-endpoint.ts';
export {
  type ChainEnds,
  type EventQuery,
  EventReader,
  EventsUnavailableError,
} from './events/event-reader.ts';
export type { AuthorityEvent } from './events/read-events.ts';
export type { EventPlace } from './events/transaction-place.ts';
export { type FileKind, fileKind } from './file-kind.ts';
export type { Address, Hex } from './hex.ts';
export { isWebPageType, publicHttpsUrl } from './page/asking-hosts.ts';
export { besidePage, ofPage } from './page/of-page.ts';
export { maxPageBytes, type PageReferences, referencesInPage } from './page/page-references.ts';
export { maxLinkedBytes, type TextLink, textLinksOfPage } from './page/text-links.ts';
export { againstProof } from './proof/contradiction.ts';
export { ProofUnavailableError } from './proof/first-answer.ts';
export { ProofInvalidError, parseProof } from './proof/parse-proof.ts';
export * from './proof/proof-file.ts';
export { renewProof, type TakeProofOptions, takeProof } from './proof/take-proof.ts';
export {
  BlockHashInvalidError,
  type OfflineVerdict,
  type VerifyOfflineOptions,
  verifyOffline,
} from './proof/verify-offline.ts';
export {
  type AuthoritiesFile,
  AuthoritiesInvalidError,
  type AuthorityEntry,
  isTime,
  maxAuthoritiesBytes,
  parseAuthorities,
} from './publisher/authorities-file.ts';
export { type AuthorityStatement, authorityMessage } from './publisher/authority-message.ts';
export { checkPublisher, type PublisherFinding, unreadPublisher } from './publisher/check-publisher.ts';
export { checkSignature, type SignatureOptions, type SignatureState } from './publisher/check-signature.ts';
export {
  authoritiesUrl,
  DomainInvalidError,
  parseDomain,
  type ShownDomain,
  showDomain,
} from './publisher/domain.ts';
export { AttestedText, AttestedTextMismatchError } from './quote/attested-text.ts';
export { PassageInvalidError } from './quote/find-passage.ts';
export { type ParsedQuote, parseQuoteProof } from './quote/parse-quote-proof.ts';
export {
  type QuoteLeaf,
  type QuoteProof,
  QuoteProofInvalidError,
  type QuoteSegment,
} from './quote/quote-proof.ts';
export { type QuoteVerdict, type VerifyQuoteOptions, verifyQuote } from './quote/verify-quote.ts';
export { cidOfDigest } from './reference/content-cid.ts';
export { type AttestationReference, formatReference, parseReference } from './reference/reference.ts';
export { parseAddress, ReferenceInvalidError } from './reference/reference-parts.ts';
export type { AccidentKind } from './text/accidents.ts';
export type { TextComparison } from './text/compare-text.ts';
export type { Difference } from './text/diagnose.ts';
export { exactText, exactTextProfile, type HiddenCharacter, hiddenCharacters } from './text/exact-text.ts';
export { type MarkupNode, textOfMarkup } from './text/text-of-markup.ts';
export { exitCodeOf, isAttested, isVerified, reasonWords } from './verdict/answer.ts';
export type { Correction, Corrections, CorrectionsEnd } from './verdict/read-corrections.ts';
export type * from './verdict/verdict.ts';
export { type VerifyOptions, verify } from './verdict/verify.ts';
export { isoTime } from './verdict/words.ts';
