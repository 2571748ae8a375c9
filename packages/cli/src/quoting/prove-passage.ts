import type { QuoteProof } from 'imprimatur-verifier';
import { asUsage, QuoteFailedError } from '../errors.ts';
import { type AttestationChoice, findQuotedAttestation } from './quoted-attestation.ts';

/**
 * Proves that a passage, or pieces in their order, are in the attested text of a file.
 * @throws UsageInvalidError, QuoteFailedError
 */
export async function provePassage(
  path: string,
  content: string,
  passages: readonly string[],
  choice: AttestationChoice,
) {
  // Loaded here, as no other command needs it and it takes longer than they do.
  const verifier = await import('imprimatur-verifier');
  const [passage = '', ...others] = passages;
  try {
    const { reference, quoteRoot, notes } = await findQuotedAttestation(verifier, path, choice);
    const attested = new verifier.AttestedText(reference, content, quoteRoot);
    const quote = attested.quote(others.length > 0 ? passages : passage);
    return { quote, notes: [...notes, ...disclosure(quote)] };
  } catch (error) {
    const { AttestedTextMismatchError, PassageInvalidError, ReferenceInvalidError, RpcUrlInvalidError } =
      verifier;
    const isFailure = error instanceof AttestedTextMismatchError || error instanceof PassageInvalidError;
    if (isFailure) throw new QuoteFailedError(error.message, { cause: error });
    throw asUsage(error, [ReferenceInvalidError, RpcUrlInvalidError]);
  }
}

/** What whoever gets the proof reads beside the quoted words. */
function disclosure({ proof, segments }: QuoteProof): string[] {
  const shown = proof.reduce((units, { value: [, chunk] }) => units + chunk.length, 0);
  const beside = shown - segments.reduce((units, { text }) => units + text.length, 0);
  return beside === 0 ? [] : [`the proof also shows ${beside} characters around the quoted words`];
}
