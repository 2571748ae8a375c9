import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { cidOfDigest } from 'imprimatur-verifier';
import { UsageInvalidError } from '../errors.ts';
import type { Session } from '../session.ts';

const maxContentBytes = 1_048_576;

/** Reads a file, or stdin for `-`, unchanged: even a byte order mark or a line ending affects the CID. */
export async function readContent(path: string, { readInput }: Pick<Session, 'readInput'>): Promise<string> {
  const bytes = path === '-' ? await readInput() : await readBytes(path);
  const subject = path === '-' ? 'stdin' : path;
  if (bytes.length === 0) throw new UsageInvalidError(`${subject} is empty`);
  checkSize(bytes.length, subject);
  return decode(bytes, subject);
}

/** @throws UsageInvalidError for a size that the service would refuse */
export function checkSize(bytes: number, subject: string): void {
  if (bytes <= maxContentBytes) return;
  const size = `${bytes.toLocaleString('en')} bytes`;
  throw new UsageInvalidError(`${subject} has ${size}; the maximum is 1,048,576`);
}

/** CIDv1 of a text: raw, sha2-256, base32. */
export const contentCid = (content: string | Uint8Array): string =>
  cidOfDigest(`0x${createHash('sha256').update(content).digest('hex')}`);

export async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new UsageInvalidError(`cannot read ${path}: ${reasons[code] ?? code}`);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
};

/** Reads a text without its byte order mark. @throws UsageInvalidError */
export const readText = async (path: string): Promise<string> =>
  decode(await readBytes(path), path).replace(/^\ufeff/, '');

/** Writes or overwrites a file. @throws UsageInvalidError */
export async function writeText(path: string, text: string | Uint8Array): Promise<void> {
  await writeFile(path, text).catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageInvalidError(`cannot write ${path}: ${code}`);
  });
}

/** Parses JSON; `undefined` if it is invalid. The parser's message is dropped, because it quotes the text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws UsageInvalidError */
export async function readJsonObject(path: string): Promise<Record<string, unknown>> {
  const value = parseJson(await readText(path));
  if (isObject(value)) return { ...value };
  throw new UsageInvalidError(`${path} must contain one JSON object`);
}

/** Decodes UTF-8. @throws UsageInvalidError with the position of the first invalid byte */
function decode(bytes: Uint8Array, subject: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const offset = invalidOffset(bytes).toLocaleString('en');
    const advice = 'convert it first, for example with iconv';
    throw new UsageInvalidError(`${subject} is not valid UTF-8 at byte ${offset}; ${advice}`);
  }
}

/** Finds the first invalid character: a lenient decoder returns U+FFFD there, but the bytes differ. */
function invalidOffset(bytes: Uint8Array): number {
  const replacement = '\ufffd';
  let offset = 0;
  for (const part of new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).split(replacement)) {
    offset += Buffer.byteLength(part);
    if (!Buffer.from(replacement).equals(bytes.subarray(offset, offset + 3))) return offset;
    offset += 3;
  }
  return offset;
}
