import type { Verdict } from '../verdict/verdict.ts';
import { type VerifyOptions, verify } from '../verdict/verify.ts';
import { parseQuoteProof } from './parse-quote-proof.ts';
import type { QuoteProof } from './quote-proof.ts';

/** Result of checking a quote proof; `altered` where the passage, or the proof, is not of what was attested. */
export interface QuoteVerdict extends Verdict {
  readonly quote: QuoteProof;
  /** Whether the proof leads to the quote root in the registry; `undefined` without an entry. */
  readonly quoteRootHolds: boolean | undefined;
}

/** Options of `verifyQuote`: those of `verify` but for the text, which is not needed. */
export type VerifyQuoteOptions = Omit<VerifyOptions, 'text'>;

const whyAltered =
  'The proof does not match the quote root of the attestation: the authority did not attest this passage there.';

function noticesOf({ segments, authority, attestationIndex }: QuoteProof): string[] {
  const omitted = segments.length > 1 ? ['Words between the quoted pieces may be left out.'] : [];
  return [
    ...omitted,
    `${authority} stated the passage in attestation ${attestationIndex}. Only the text itself shows that the passage is in the text with the CID.`,
  ];
}

/**
 * Verifies a quote proof without the text: that it holds in itself, that the attestation is there and stands, and that
 * the proof leads to its quote root.
 * @param given the proof as JSON, as the bytes of a file, or what the JSON was parsed to
 * @throws QuoteProofInvalidError, RpcUrlInvalidError, and ReferenceInvalidError for one of `otherRegistries`
 */
export async function verifyQuote(
  given: string | Uint8Array | object,
  options: VerifyQuoteOptions,
): Promise<QuoteVerdict> {
  const { quote, root } = parseQuoteProof(given);
  const { ipfsCid: contentCid, authority: authorityAddress, ...place } = quote;
  const reference = { contentCid, authorityAddress, ...place };
  const verdict = await verify(reference, { ...options, text: undefined });
  const { attestation } = verdict;
  if (!attestation) return { ...verdict, quote };
  const quoteRootHolds = attestation.quoteRoot === root;
  const told = { ...verdict, quote, quoteRootHolds };
  if (!quoteRootHolds) return { ...told, outcome: 'altered', reason: whyAltered };
  return { ...told, notices: [...verdict.notices, ...noticesOf(quote)] };
}
