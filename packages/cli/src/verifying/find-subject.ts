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

export interface ReferenceOptions {
  readonly reference?: string;
  readonly proof?: string;
}

/** An attestation, and the data to check it with. */
export interface AttestationSubject {
  readonly reference: AttestationReference;
  readonly text: Uint8Array | undefined;
  readonly proof: ProofFile | undefined;
  readonly domainHint?: string | undefined;
  /** Source of the page that names the attestation. */
  readonly page?: string;
  /** Explains that the input was checked as a text, although its name suggests another format. */
  readonly assumption?: string | undefined;
}

export type Subject = AttestationSubject | { readonly quote: Uint8Array };

/** Determines the kind of the input, and its attestation from the options, the input or the proof file beside it. */
export async function findSubject(
  input: string,
  options: ReferenceOptions,
  { readInput }: Pick<Session, 'readInput'>,
): Promise<Subject> {
  if (/^eip155:/i.test(input)) {
    // If the option were ignored, the user would think that it was checked.
    if (options.reference !== undefined || options.proof !== undefined)
      throw new UsageInvalidError('a reference cannot be combined with --reference or --proof');
    return { reference: parseReference(input), text: undefined, proof: undefined };
  }
  const bytes = input === '-' ? await readInput() : await readBytes(input);
  if (options.reference !== undefined)
    return { reference: parseReference(options.reference), text: bytes, proof: undefined };
  const kind = fileKind(input, bytes);
  if (kind === 'page' && bytes.length > maxPageBytes)
    throw new UsageInvalidError(
      `${input} has ${bytes.length.toLocaleString('en')} bytes; the maximum for a page is ${maxPageBytes.toLocaleString('en')}`,
    );
  const sibling = input === '-' ? undefined : proofPathOf(input);
  const path = options.proof ?? (sibling !== undefined && existsSync(sibling) ? sibling : undefined);
  const file = path === undefined ? undefined : await readBytes(path);
  if (file) {
    // An article may have any name. Input that names its attestation does not need the proof file beside it, which may
    // be broken.
    const isNamed = options.proof === undefined && namesAttestation(kind, bytes);
    const proof = isNamed ? proofOf(file, (one) => one.contentCid === contentCid(bytes)) : parseProof(file);
    if (proof) {
      const assumption =
        options.proof === undefined && kind !== 'text'
          ? `${input} names no attestation, so it was checked as the text of ${path}.`
          : undefined;
      return {
        reference: proof.reference,
        text: bytes,
        proof,
        domainHint: proof.publisher?.domain,
        assumption,
      };
    }
  }
  if (kind === 'quote') return { quote: bytes };
  if (kind === 'proof') {
    const proof = parseProof(bytes);
    return { reference: proof.reference, text: undefined, proof, domainHint: proof.publisher?.domain };
  }
  if (kind === 'page') return pageSubject(input, bytes, file);
  throw new UsageInvalidError(
    `no attestation given for ${input === '-' ? 'stdin' : input}; pass --reference or --proof${sibling === undefined ? '' : ` (${sibling} does not exist)`}`,
  );
}

/** Explains an `altered` verdict of input whose format was uncertain: it may be a page that contains the text. */
export function explainAltered<Answer extends Verdict>(verdict: Answer, { assumption }: AttestationSubject) {
  if (verdict.outcome !== 'altered' || assumption === undefined) return verdict;
  return { ...verdict, reason: `${assumption} ${verdict.reason}` };
}

/** Whether the input names its attestation, or is damaged input that should. */
function namesAttestation(kind: FileKind, bytes: Uint8Array): boolean {
  if (kind === 'page') {
    const { references, problems } = referencesInPage(new TextDecoder().decode(bytes));
    return references.length + problems.length > 0;
  }
  if (kind !== 'proof') return kind === 'quote';
  // A damaged proof file is not treated as an article.
  const value = parseJson(new TextDecoder().decode(bytes));
  return isObject(value) && 'reference' in value;
}

/** Returns the proof if it is valid and has the expected reference. */
function proofOf(file: Uint8Array, isExpected: (reference: AttestationReference) => boolean) {
  try {
    const proof = parseProof(file);
    return isExpected(proof.reference) ? proof : undefined;
  } catch (error) {
    if (error instanceof ProofInvalidError) return undefined;
    throw error;
  }
}

/** Finds the attestation that a page names. An offline check also uses the proof file beside the page. */
function pageSubject(path: string, bytes: Uint8Array, file: Uint8Array | undefined): AttestationSubject {
  const page = new TextDecoder().decode(bytes);
  const { references, problems } = referencesInPage(page);
  const [reference, ...others] = references;
  const reasons = problems.length > 0 ? `: ${problems.join('; ')}` : '';
  if (!reference) throw new UsageInvalidError(`${path} names no attestation${reasons}`);
  if (others.length > 0)
    throw new UsageInvalidError(
      `${path} names several attestations; pass one of them as the argument: ${references.map(formatReference).join(', ')}`,
    );
  const expected = formatReference(reference);
  const proof = file && proofOf(file, (found) => formatReference(found) === expected);
  return { reference, text: undefined, proof, domainHint: domainOfPage(page), page };
}
