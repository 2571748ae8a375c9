import { existsSync } from 'node:fs';
import type { AttestationReference, Hex } from 'imprimatur-verifier';
import { proofBeside } from 'imprimatur-verifier';
import { QuoteFailedError, UsageInvalidError } from '../errors.ts';
import { readBytes } from '../files/read-content.ts';

type Verifier = typeof import('imprimatur-verifier');

/** Options that say which attestation a file is of. */
export interface AttestationChoice {
  readonly reference?: string;
  readonly proof?: string;
  readonly rpc?: readonly string[];
}

/** The attestation that is quoted from, as far as it is known. */
export interface QuotedAttestation {
  readonly reference: AttestationReference;
  /** The root in the registry; `undefined` where nobody was asked. */
  readonly quoteRoot: Hex | undefined;
  readonly notes: readonly string[];
}

async function readProofFile(verifier: Verifier, articlePath: string, { proof }: AttestationChoice) {
  const path = proof ?? proofBeside(articlePath);
  if (proof === undefined && !existsSync(path))
    throw new UsageInvalidError(
      `say which attestation it is of: --reference, or --proof (there is no ${path})`,
    );
  try {
    const { reference, content } = verifier.parseProof(await readBytes(path));
    return { reference, quoteRoot: content.quoteRoot };
  } catch (error) {
    if (!(error instanceof verifier.ProofInvalidError)) throw error;
    throw new UsageInvalidError(`${path} is no proof file: ${error.message}`, { cause: error });
  }
}

async function askChain({ verify }: Verifier, reference: AttestationReference, providers: readonly string[]) {
  const { attestation, outcome, reason } = await verify(reference, { providers });
  if (!attestation) throw new QuoteFailedError(reason);
  const isRevoked = outcome === 'revoked';
  return {
    quoteRoot: attestation.quoteRoot,
    notes: isRevoked ? [`readers will not see it verified: ${reason}`] : [],
  };
}

/**
 * Finds the attestation of an article: the reference and the quote root in the registry, as the chain gives it or,
 * where it is not asked, the proof file.
 * @throws UsageInvalidError, QuoteFailedError, ReferenceInvalidError, RpcUrlInvalidError
 */
export async function findQuotedAttestation(
  verifier: Verifier,
  articlePath: string,
  choice: AttestationChoice,
): Promise<QuotedAttestation> {
  const { reference, quoteRoot } =
    choice.reference === undefined
      ? await readProofFile(verifier, articlePath, choice)
      : { reference: verifier.parseReference(choice.reference), quoteRoot: undefined };
  if (choice.rpc) return { reference, ...(await askChain(verifier, reference, choice.rpc)) };
  const unknown = 'the quote root was not compared with the registry: --rpc does it';
  return { reference, quoteRoot, notes: quoteRoot === undefined ? [unknown] : [] };
}
