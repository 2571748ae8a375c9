import {
  type AttestationReference,
  type FileKind,
  formatReference,
  maxPageBytes,
  type ParsedQuote,
  type ProofFile,
  ProofInvalidError,
  parseProof,
  parseQuoteProof,
  parseReference,
  QuoteProofInvalidError,
  ReferenceInvalidError,
  referencesInPage,
} from 'imprimatur-verifier';
import { type InputFile, InputInvalidError, kindNames, type ReaderInput } from './input.ts';

export interface AttestationSubject {
  readonly reference: AttestationReference;
  readonly text: string | Uint8Array | undefined;
  readonly proof: ProofFile | undefined;
  /** Source of the page, if one was given. */
  readonly page: string | undefined;
}

export type Subject = AttestationSubject | { readonly quote: ParsedQuote['quote'] };

/** Parses a part of the input. Errors name the part. */
function parsePart<Value>(name: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    const isExpected = [ProofInvalidError, QuoteProofInvalidError, ReferenceInvalidError].some(
      (type) => error instanceof type,
    );
    throw isExpected ? new InputInvalidError(`${name}: ${(error as Error).message}`) : error;
  }
}

/** Finds the only file of a type. With two files, it would be unclear which one the page checked. */
function onlyFile({ files }: ReaderInput, kind: FileKind): InputFile | undefined {
  const [file, ...others] = files.filter((other) => other.kind === kind);
  if (file && others.length > 0) {
    const names = [file, ...others].map(({ name }) => name).join(', ');
    throw new InputInvalidError(`Add only one ${kindNames[kind]}. You added: ${names}.`);
  }
  return file;
}

function parseQuote(input: ReaderInput): Subject | undefined {
  const file = onlyFile(input, 'quote');
  if (!file) return undefined;
  // If the page ignored the rest, the reader would think that it was checked.
  if (input.files.length > 1 || input.pasted !== '' || input.reference.trim() !== '')
    throw new InputInvalidError(
      `A quote proof is checked on its own. Remove everything except ${file.name}.`,
    );
  return {
    quote: parsePart(`${file.name} is not a valid quote proof`, () => parseQuoteProof(file.bytes)).quote,
  };
}

function findText(input: ReaderInput): string | Uint8Array | undefined {
  const file = onlyFile(input, 'text');
  if (file && input.pasted !== '')
    throw new InputInvalidError(`You added a pasted text and the file ${file.name}. Remove one of them.`);
  return file?.bytes ?? (input.pasted === '' ? undefined : input.pasted);
}

function findPage(input: ReaderInput): InputFile | undefined {
  const page = onlyFile(input, 'page');
  if (page && page.bytes.length > maxPageBytes)
    throw new InputInvalidError(`${page.name} is larger than 10 MB, the maximum for a page.`);
  return page;
}

const decode = ({ bytes }: InputFile) => new TextDecoder().decode(bytes);

function referencesOf(page: InputFile): string[] {
  const { references, problems } = referencesInPage(decode(page));
  if (references.length > 0) return references.map(formatReference);
  const reasons = problems.length > 0 ? `: ${problems.join('; ')}` : '';
  throw new InputInvalidError(`${page.name} names no attestation${reasons}.`);
}

const missingReferenceText =
  'Which attestation do you want to check? Add its reference, its proof file, or a saved page that names it.';

/** Finds the reference on which all parts of the input agree. */
function agreedReference(
  typed: string | undefined,
  proof: ProofFile | undefined,
  page: InputFile | undefined,
): string {
  const proven = proof && formatReference(proof.reference);
  if (typed !== undefined && proven !== undefined && typed !== proven)
    throw new InputInvalidError(
      `The proof file and the reference are for different attestations. The proof file is for ${proven}`,
    );
  const chosen = typed ?? proven;
  if (!page) {
    if (chosen === undefined) throw new InputInvalidError(missingReferenceText);
    return chosen;
  }
  const named = referencesOf(page);
  if (chosen !== undefined && !named.includes(chosen))
    throw new InputInvalidError(`${page.name} does not name this attestation. It names ${named.join(', ')}`);
  const [first = '', ...others] = named;
  if (chosen === undefined && others.length > 0)
    throw new InputInvalidError(`${page.name} names several attestations. Choose one.`, named);
  return chosen ?? first;
}

const typedReference = (text: string) =>
  parsePart('The reference is invalid', () => formatReference(parseReference(text)));

export function checkReference(text: string): InputInvalidError | undefined {
  try {
    typedReference(text);
    return undefined;
  } catch (error) {
    if (error instanceof InputInvalidError) return error;
    throw error;
  }
}

/** Combines the input. @throws InputInvalidError */
export function parseSubject(input: ReaderInput): Subject {
  const quote = parseQuote(input);
  if (quote) return quote;
  const [text, proofFile, page] = [findText(input), onlyFile(input, 'proof'), findPage(input)];
  const proof =
    proofFile && parsePart(`${proofFile.name} is not a valid proof file`, () => parseProof(proofFile.bytes));
  const written = input.reference.trim();
  const typed = written === '' ? undefined : typedReference(written);
  const reference = parseReference(agreedReference(typed, proof, page));
  return { reference, text, proof, page: page && decode(page) };
}
