import { type FileKind, fileKind } from 'imprimatur-verifier';

/** A file that the reader gave, as its bytes: what reads a file as text drops some. */
export interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** As the name says, unless the reader says otherwise. */
  readonly kind: FileKind;
  /** The host that was asked for it; `undefined` for a file of the reader's own. */
  readonly askedOf?: string;
}

/** What the kinds of files are called. */
export const nouns: Readonly<Record<FileKind, string>> = {
  text: 'text',
  proof: 'proof file',
  quote: 'quote proof',
  page: 'web page',
};

/** All that the reader has given. */
export interface Given {
  /** The text in the text area, with the line endings with which it was copied; empty without one. */
  readonly pasted: string;
  readonly files: readonly GivenFile[];
  /** The reference as it was typed; empty without one. */
  readonly reference: string;
}

export const nothingGiven: Given = { pasted: '', files: [], reference: '' };

/** What is wrong with what the reader gave, in a plain sentence. */
export class GivenInvalidError extends Error {
  override name = 'GivenInvalidError';
  /** References of which the reader is to choose one. */
  readonly choices: readonly string[];
  constructor(message: string, choices: readonly string[] = []) {
    super(message);
    this.choices = choices;
  }
}

/** More than any text that can be attested; a browser would run out of memory with a film. */
const maxBytes = 64 * 1024 * 1024;

async function readFile(file: File): Promise<GivenFile> {
  const { name, size } = file;
  if (size > maxBytes)
    throw new GivenInvalidError(
      `${name} is larger than ${maxBytes / 1024 / 1024} MiB. No attested text is that large.`,
    );
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { name, bytes, kind: fileKind(name, bytes) };
  } catch {
    throw new GivenInvalidError(`${name} cannot be read. Check that it is a file and was not moved.`);
  }
}

/** Reads files that the reader chose. @throws GivenInvalidError */
export function readFiles(files: Iterable<File>): Promise<GivenFile[]> {
  return Promise.all([...files].map(readFile));
}

/** Adds files; one of the same name takes the place of the earlier. */
export function withFiles(given: Given, files: readonly GivenFile[]): Given {
  const names = new Set(files.map(({ name }) => name));
  return { ...given, files: [...given.files.filter(({ name }) => !names.has(name)), ...files] };
}

/** What was given, in a line, as a verdict tells of what it is. */
export function givenWords({ pasted, files, reference }: Given): string {
  const parts = [
    ...(pasted === '' ? [] : [`a text of ${pasted.length.toLocaleString('en')} characters`]),
    ...files.map(({ name }) => name),
    ...(reference.trim() === '' ? [] : ['a reference']),
  ];
  return parts.join(', ');
}
