import { readFile } from 'node:fs/promises';
import { UsageInvalidError } from '../errors.ts';
import type { Session } from '../session.ts';

/** The service's own limit. */
const maxContentBytes = 1_048_576;

/**
 * Reads the content of a file, or of standard input for `-`, exactly: a byte order mark and line ends stay, since any
 * change gives another CID.
 *
 * @throws UsageInvalidError when it is missing, empty, too large or not UTF-8
 */
export async function readContent(path: string, { readInput }: Pick<Session, 'readInput'>): Promise<string> {
  const bytes = path === '-' ? await readInput() : await readBytes(path);
  const subject = path === '-' ? 'standard input' : path;
  if (bytes.length === 0) throw new UsageInvalidError(`${subject} is empty: there is nothing to attest`);
  checkSize(bytes.length, subject);
  return decode(bytes, subject);
}

/** Refuses what the service would. @throws UsageInvalidError */
export function checkSize(bytes: number, subject: string): void {
  if (bytes <= maxContentBytes) return;
  const size = `${bytes.toLocaleString('en')} bytes`;
  throw new UsageInvalidError(`${subject} has ${size}: at most 1,048,576 can be attested`);
}

/** Reads a file. @throws UsageInvalidError */
export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new UsageInvalidError(`cannot read ${path}: ${reasons[code] ?? code}`, { cause });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory',
  EACCES: 'it may not be read',
};

/** Decodes UTF-8. @throws UsageInvalidError naming the first byte that is not part of a character */
export function decode(bytes: Uint8Array, subject: string): string {
  try {
    return decoder().decode(bytes);
  } catch (cause) {
    const offset = Buffer.byteLength(longestText(bytes)).toLocaleString('en');
    const advice = 'convert it first, for instance with iconv';
    throw new UsageInvalidError(`${subject} is not UTF-8 text from byte ${offset} on: ${advice}`, { cause });
  }
}

const decoder = () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Finds the characters before the first broken one. A prefix may end within a character, and is broken if a shorter one
 * is.
 */
function longestText(bytes: Uint8Array): string {
  const textOf = (length: number): string | undefined => {
    try {
      return decoder().decode(bytes.subarray(0, length), { stream: true });
    } catch {
      return undefined;
    }
  };
  let [sound, beyond] = [0, bytes.length + 1];
  while (beyond - sound > 1) {
    const middle = Math.floor((sound + beyond) / 2);
    if (textOf(middle) === undefined) beyond = middle;
    else sound = middle;
  }
  return textOf(sound) ?? '';
}
