import { readFileSync } from 'node:fs';
import { PlainError } from '../terminal/plain-error.ts';

/** The service's limit, in UTF-8 bytes. */
const maxArticleBytes = 1_048_576;

/**
 * Reads an article without changes: a byte order mark and line endings stay, because any change changes the CID.
 * @throws PlainError if it is missing, empty, too large or not UTF-8
 */
export function readArticle(path: string): string {
  const { bytes, text } = decodeFile(path);
  if (bytes > 0 && bytes <= maxArticleBytes) return text;
  throw new PlainError(`${path} has ${bytes.toLocaleString('en')} bytes. An article has 1 to 1,048,576.`);
}

function decodeFile(path: string) {
  try {
    const bytes = readFileSync(path);
    return {
      bytes: bytes.length,
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    };
  } catch (cause) {
    throw new PlainError(`Cannot read ${path} as UTF-8 text: ${(cause as Error).message}`, { cause });
  }
}
