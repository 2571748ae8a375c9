import { type FileKind, fileKind } from 'imprimatur-verifier';

/** A file as bytes, because decoding a file as text loses some of them. */
export interface InputFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Guessed from the name and the bytes, unless the reader changes it. */
  readonly kind: FileKind;
  /** The host that returned it; `undefined` for the reader's own file. */
  readonly host?: string;
}

export const kindNames: Readonly<Record<FileKind, string>> = {
  text: 'text',
  proof: 'proof file',
  quote: 'quote proof',
  page: 'web page',
};

export interface ReaderInput {
  /** Text of the text area with its copied line endings; may be empty. */
  readonly pasted: string;
  readonly files: readonly InputFile[];
  /** Reference as entered; may be empty. */
  readonly reference: string;
}

export const emptyInput: ReaderInput = { pasted: '', files: [], reference: '' };

/** An error in the input, with a text for the reader. */
export class InputInvalidError extends Error {
  override name = 'InputInvalidError';
  readonly choices: readonly string[];
  constructor(message: string, choices: readonly string[] = []) {
    super(message);
    this.choices = choices;
  }
}

/** Larger than any attested text. Protects against running out of memory. */
const maxBytes = 64 * 1024 * 1024;

async function readFile(file: File): Promise<InputFile> {
  const { name, size } = file;
  if (size > maxBytes)
    throw new InputInvalidError(
      `${name} is larger than ${maxBytes / 1024 / 1024} MiB. No attested text is that large.`,
    );
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { name, bytes, kind: fileKind(name, bytes) };
  } catch {
    throw new InputInvalidError(`${name} cannot be read. Check that it is a file and was not moved.`);
  }
}

/** @throws InputInvalidError */
export function readFiles(files: Iterable<File>): Promise<InputFile[]> {
  return Promise.all([...files].map(readFile));
}

/** Adds files. A file replaces an earlier one with the same name. */
export function withFiles(input: ReaderInput, files: readonly InputFile[]): ReaderInput {
  const names = new Set(files.map(({ name }) => name));
  return { ...input, files: [...input.files.filter(({ name }) => !names.has(name)), ...files] };
}

export function describeInput({ pasted, files, reference }: ReaderInput): string {
  const parts = [
    ...(pasted === '' ? [] : [`a text of ${pasted.length.toLocaleString('en')} characters`]),
    ...files.map(({ name }) => name),
    ...(reference.trim() === '' ? [] : ['a reference']),
  ];
  return parts.join(', ');
}
