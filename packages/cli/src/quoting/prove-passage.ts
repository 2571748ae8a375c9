import { existsSync } from 'node:fs';
import {
  type AttestationReference,
  AttestedText,
  type Hex,
  ProofInvalidError,
  parseProof,
  parseReference,
  proofBeside,
  type QuoteProof,
  verify,
} from 'imprimatur-verifier';
import { CommandError, UsageInvalidError } from '../errors.ts';
import { readBytes } from '../files/read-content.ts';

export interface AttestationChoice {
  readonly reference?: string;
  readonly proof?: string;
  readonly rpc?: readonly string[];
}

/** The attestation that is quoted from, as far as it is known. */
interface QuotedAttestation {
  readonly reference: AttestationReference;
  /** The root in the registry; `undefined` where nobody was asked. */
  readonly quoteRoot: Hex | undefined;
  readonly notes: readonly string[];
}

async function readProofFile(articlePath: string, { proof }: AttestationChoice) {
  const path = proof ?? proofBeside(articlePath);
  if (proof === undefined && !existsSync(path))
    throw new UsageInvalidError(
      `say which attestation it is of: --reference, or --proof (there is no ${path})`,
    );
  try {
    const { reference, content } = parseProof(await readBytes(path));
    return { reference, quoteRoot: content.quoteRoot };
  } catch (error) {
    if (!(error instanceof ProofInvalidError)) throw error;
    throw new UsageInvalidError(`${path} is no proof file: ${error.message}`, { cause: error });
  }
}

async function askChain(reference: AttestationReference, providers: readonly string[]) {
  const { attestation, outcome, reason } = await verify(reference, { providers });
  if (!attestation) throw new CommandError(reason);
  const isRevoked = outcome === 'revoked';
  return {
    quoteRoot: attestation.quoteRoot,
    notes: isRevoked ? [`readers will not see it verified: ${reason}`] : [],
  };
}

/**
 * Finds the attestation of an article: the reference and the quote root in the registry, as the chain gives it or,
 * where it is not asked, the proof file.
 */
async function findQuotedAttestation(
  articlePath: string,
  choice: AttestationChoice,
): Promise<QuotedAttestation> {
  const { reference, quoteRoot } =
    choice.reference === undefined
      ? await readProofFile(articlePath, choice)
      : { reference: parseReference(choice.reference), quoteRoot: undefined };
  if (choice.rpc) return { reference, ...(await askChain(reference, choice.rpc)) };
  const unknown = 'the quote root was not compared with the registry: --rpc does it';
  return { reference, quoteRoot, notes: quoteRoot === undefined ? [unknown] : [] };
}

/** Proves that a passage, or pieces in their order, are in the attested text of a file. */
export async function provePassage(
  path: string,
  content: string,
  passages: readonly string[],
  choice: AttestationChoice,
) {
  const [passage = '', ...others] = passages;
  const { reference, quoteRoot, notes } = await findQuotedAttestation(path, choice);
  const attested = new AttestedText(reference, content, quoteRoot);
  const quote = attested.quote(others.length > 0 ? passages : passage);
  return { quote, notes: [...notes, ...disclosure(quote)] };
}

/** What readers of the proof see beside the quoted words. */
function disclosure({ proof, segments }: QuoteProof): string[] {
  const shown = proof.reduce((units, { value: [, chunk] }) => units + chunk.length, 0);
  const beside = shown - segments.reduce((units, { text }) => units + text.length, 0);
  return beside === 0 ? [] : [`the proof also shows ${beside} characters around the quoted words`];
}
