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
      ENOENT: 'the file does not exist',
      EISDIR: 'it is a directory',
      EACCES: 'permission denied',
    };
    throw new PlainError(`cannot read ${path}: ${reasons[code ?? ''] ?? code}`, { cause });
  }
}

/**
 * Reads an article without changes: a byte order mark and line endings stay, because any change changes the CID.
 * @throws PlainError when it is missing, empty, too large or not UTF-8
 */
export function readArticle(path: string): string {
  const bytes = readBytes(path);
  if (bytes.length === 0) throw new PlainError(`${path} is empty. Add text to attest.`);
  if (bytes.length > maxArticleBytes) {
    const size = `${bytes.length.toLocaleString('en')} bytes`;
    throw new PlainError(`${path} has ${size}. The limit is 1,048,576.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new PlainError(`${path} is not UTF-8 text. Convert it first, for example with iconv.`, {
      cause,
    });
  }
}
