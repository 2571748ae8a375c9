import { existsSync } from 'node:fs';
import {
  type AttestationReference,
  type FileKind,
  fileKind,
  formatReference,
  maxPageBytes,
  type ProofFile,
  ProofInvalidError,
  parseProof,
  parseReference,
  proofPathOf,
  referencesInPage,
  type Verdict,
} from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';
import { contentCid, isObject, parseJson, readBytes } from '../files/read-content.ts';
import { domainOfPage } from '../marks/page.ts';
import type { Session } from '../session.ts';

export interface ReferenceChoice {
  readonly reference?: string;
  readonly proof?: string;
}

/** An attestation, with what is at hand to check it by. */
export interface AttestationSubject {
  readonly reference: AttestationReference;
  /** The text's bytes; `undefined` where there is none, and nothing is said of a text. */
  readonly text: Uint8Array | undefined;
  readonly proof: ProofFile | undefined;
  /** A domain that is said to be the publisher's; a hint where to look. */
  readonly domainHint?: string | undefined;
  /** The page that names it, where it is one: of its own text nothing is known. */
  readonly page?: string;
  /** Says by which proof file beside it a file without the name of a text was taken for one. */
  readonly taken?: string | undefined;
}

/** What is to be verified: an attestation, or a quote proof as it is in its file. */
export type Subject = AttestationSubject | { readonly quote: Uint8Array };

/**
 * Finds out what a reader gives: a reference, a page that names one, a proof file, a quote proof, or a text with the
 * reference or a proof file beside it.
 */
export async function findSubject(
  what: string,
  choice: ReferenceChoice,
  { readInput }: Pick<Session, 'readInput'>,
): Promise<Subject> {
  if (/^eip155:/i.test(what)) {
    // Taken no notice of, one would be believed to have been checked.
    if (choice.reference !== undefined || choice.proof !== undefined)
      throw new UsageInvalidError('a reference cannot be combined with --reference or --proof');
    return { reference: parseReference(what), text: undefined, proof: undefined };
  }
  const bytes = what === '-' ? await readInput() : await readBytes(what);
  if (choice.reference !== undefined)
    return { reference: parseReference(choice.reference), text: bytes, proof: undefined };
  const kind = fileKind(what, bytes);
  if (kind === 'page' && bytes.length > maxPageBytes)
    throw new UsageInvalidError(
      `${what} has ${bytes.length.toLocaleString('en')} bytes; the maximum for a page is ${maxPageBytes.toLocaleString('en')}`,
    );
  const beside = what === '-' ? undefined : proofPathOf(what);
  const path = choice.proof ?? (beside !== undefined && existsSync(beside) ? beside : undefined);
  const file = path === undefined ? undefined : await readBytes(path);
  if (file) {
    // An article may have any name. What names its attestation itself does not need the proof beside it, which may be broken.
    const isNamed = choice.proof === undefined && namesAttestation(kind, bytes);
    const proof = isNamed ? proofOf(file, (one) => one.contentCid === contentCid(bytes)) : parseProof(file);
    if (proof) {
      const taken =
        choice.proof === undefined && kind !== 'text'
          ? `${what} names no attestation, so it was checked as the text of ${path}.`
          : undefined;
      return { reference: proof.reference, text: bytes, proof, domainHint: proof.publisher?.domain, taken };
    }
  }
  if (kind === 'quote') return { quote: bytes };
  if (kind === 'proof') {
    const proof = parseProof(bytes);
    return { reference: proof.reference, text: undefined, proof, domainHint: proof.publisher?.domain };
  }
  if (kind === 'page') return pageSubject(what, bytes, file);
  throw new UsageInvalidError(
    `no attestation given for ${what === '-' ? 'stdin' : what}; pass --reference or --proof${beside === undefined ? '' : ` (${beside} does not exist)`}`,
  );
}

/** The verdict, with what the text was taken for where it is another one: it may be no more than a page with the text. */
export function asTaken<Answer extends Verdict>(verdict: Answer, { taken }: AttestationSubject): Answer {
  if (verdict.outcome !== 'altered' || taken === undefined) return verdict;
  return { ...verdict, reason: `${taken} ${verdict.reason}` };
}

/** Whether a file says itself of which attestation it is, or is meant to. */
function namesAttestation(kind: FileKind, bytes: Uint8Array): boolean {
  if (kind === 'page') {
    const { references, problems } = referencesInPage(new TextDecoder().decode(bytes));
    return references.length + problems.length > 0;
  }
  if (kind !== 'proof') return kind === 'quote';
  // A proof file that is damaged is not taken for an article.
  const value = parseJson(new TextDecoder().decode(bytes));
  return isObject(value) && 'reference' in value;
}

/** The proof, where it can be read and is of this attestation or content. */
function proofOf(
  file: Uint8Array,
  isMeant: (reference: AttestationReference) => boolean,
): ProofFile | undefined {
  try {
    const proof = parseProof(file);
    return isMeant(proof.reference) ? proof : undefined;
  } catch (error) {
    if (error instanceof ProofInvalidError) return undefined;
    throw error;
  }
}

/** What a page names; the proof file beside it is of use where nobody is asked. */
function pageSubject(path: string, bytes: Uint8Array, file: Uint8Array | undefined): AttestationSubject {
  const page = new TextDecoder().decode(bytes);
  const { references, problems } = referencesInPage(page);
  const [reference, ...others] = references;
  const why = problems.length > 0 ? `: ${problems.join('; ')}` : '';
  if (!reference) throw new UsageInvalidError(`${path} names no attestation${why}`);
  if (others.length > 0)
    throw new UsageInvalidError(
      `${path} names several attestations; pass one of them as the argument: ${references.map(formatReference).join(', ')}`,
    );
  const named = formatReference(reference);
  const proof = file && proofOf(file, (one) => formatReference(one) === named);
  return { reference, text: undefined, proof, domainHint: domainOfPage(page), page };
}
