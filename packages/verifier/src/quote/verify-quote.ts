import type { Verdict } from '../verdict/verdict.ts';
import { type VerifyOptions, verify } from '../verdict/verify.ts';
import { parseQuoteProof } from './parse-quote-proof.ts';
import type { QuoteProof } from './quote-proof.ts';

/** Verdict of a quote proof; `altered` if the attestation has another quote root. */
export interface QuoteVerdict extends Verdict {
  readonly quote: QuoteProof;
  /** Whether the proof has the quote root of the registry; `undefined` without an entry. */
  readonly quoteRootHolds: boolean | undefined;
}

/** Options of `verifyQuote`: those of `verify` without the text. */
export type VerifyQuoteOptions = Omit<VerifyOptions, 'text'>;

const alteredReason =
  'The proof does not match the quote root of the attestation, so it proves nothing about this passage.';

function noticesOf({ segments, authority, attestationIndex }: QuoteProof): string[] {
  const omitted = segments.length > 1 ? ['Words between the quoted pieces may have been left out.'] : [];
  return [
    ...omitted,
    `${authority} stated the passage in attestation ${attestationIndex}. Only the text itself shows that the passage is in the text with the CID.`,
  ];
}

/**
 * Verifies a quote proof without the text: the proof, its attestation, and its quote root.
 * @param file the proof as JSON in a string or bytes, or parsed
 * @throws QuoteProofInvalidError, RpcUrlInvalidError, ReferenceInvalidError for one of `otherRegistries`
 */
export async function verifyQuote(
  file: string | Uint8Array | object,
  options: VerifyQuoteOptions,
): Promise<QuoteVerdict> {
  const { quote, root } = parseQuoteProof(file);
  const { ipfsCid: contentCid, authority: authorityAddress, ...position } = quote;
  const reference = { contentCid, authorityAddress, ...position };
  const verdict = await verify(reference, { ...options, text: undefined });
  const { attestation } = verdict;
  if (!attestation) return { ...verdict, quote };
  const quoteRootHolds = attestation.quoteRoot === root;
  const result = { ...verdict, quote, quoteRootHolds };
  if (!quoteRootHolds) return { ...result, outcome: 'altered', reason: alteredReason };
  return { ...result, notices: [...verdict.notices, ...noticesOf(quote)] };
}
