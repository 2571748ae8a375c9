import type { QuoteProof } from 'imprimatur-verifier';
import { AttestedText, AttestedTextMismatchError, PassageInvalidError } from 'imprimatur-verifier';
import type { Attestation, AttestationKey } from '../attestation/attestation.ts';
import { findAttestation } from '../attestation/attestation-records.ts';
import { readContent } from '../attestation/content-records.ts';
import { finalEntry } from '../attestation/final-entry.ts';
import {
  AttestationMissingError,
  AttestationUnconfirmedError,
  AttestationUnquotableError,
  ChainUnservedError,
  PassageUnquotableError,
} from '../errors.ts';
import type { ReadServices } from '../services.ts';

/**
 * Proves a passage with the quote root that the registry shows at a final block. If another program attested the
 * content for the authority, that root may differ from the row's.
 * @param passage one string, in which an ellipsis replaces omitted text, or the pieces in their order
 * @throws AttestationMissingError, AttestationUnconfirmedError, AttestationUnquotableError, PassageUnquotableError,
 * ChainUnreachableError
 */
export async function quotePassage(
  services: ReadServices,
  key: AttestationKey,
  passage: string | readonly string[],
): Promise<QuoteProof> {
  const attestation = await findAttestation(services.records, key);
  if (!attestation) throw new AttestationMissingError();
  if (attestation.status !== 'confirmed') throw new AttestationUnconfirmedError(attestation.status);
  const content = await readContent(services.records, attestation);
  if (content === undefined) throw new AttestationUnquotableError('the content was erased');
  const { attestationIndex, quoteRoot } = await readEntry(services, attestation);
  if (attestationIndex === 0)
    throw new AttestationUnquotableError(
      'the registry does not show the attestation at the moment; try again',
    );
  return convertErrors(() =>
    new AttestedText({ ...attestation, attestationIndex }, content, quoteRoot).quote(passage),
  );
}

async function readEntry(services: ReadServices, attestation: Attestation) {
  try {
    return await finalEntry(services, attestation);
  } catch (error) {
    if (error instanceof ChainUnservedError) throw new AttestationUnquotableError(error.message);
    throw error;
  }
}

/** Converts the verifier's sentences to the style of the service's errors: lower case, no period. */
const errorText = ({ message }: Error) =>
  `${message.charAt(0).toLowerCase()}${message.slice(1).replace(/\.$/, '')}`;

function convertErrors(quote: () => QuoteProof): QuoteProof {
  try {
    return quote();
  } catch (error) {
    if (error instanceof PassageInvalidError) throw new PassageUnquotableError(errorText(error));
    if (error instanceof AttestedTextMismatchError) throw new AttestationUnquotableError(errorText(error));
    throw error;
  }
}
