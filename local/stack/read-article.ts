import { readFileSync } from 'node:fs';
import { PlainError } from '../terminal/plain-error.ts';

/** The service's own limit, in UTF-8 bytes. */
export const maxArticleBytes = 1_048_576;

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      ENOENT: 'there is no such file',
      EISDIR: 'it is a directory',
      EACCES: 'it may not be read',
    };
    throw new PlainError(`cannot read ${path}: ${reasons[code ?? ''] ?? code}`, { cause });
  }
}

/**
 * Reads the article in a file, exactly: a byte order mark and line ends stay, since any change gives another CID.
 * @throws PlainError when it is missing, empty, too large or not UTF-8
 */
export function readArticle(path: string): string {
  const bytes = readBytes(path);
  if (bytes.length === 0) throw new PlainError(`${path} is empty: there is nothing to attest`);
  if (bytes.length > maxArticleBytes) {
    const size = `${bytes.length.toLocaleString('en')} bytes`;
    throw new PlainError(`${path} has ${size}: at most 1,048,576 can be attested`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new PlainError(`${path} is not UTF-8 text: convert it first, for instance with iconv`, {
      cause,
    });
  }
}
