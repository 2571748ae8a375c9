import { readFile } from 'node:fs/promises';

/** A file that gives no text; the message is one plain line. */
export class FileUnreadableError extends Error {
  override name = 'FileUnreadableError';
}

/** Why a file cannot be read, in words. */
function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a directory';
  return code === 'EACCES' ? 'permission denied' : 'it cannot be read';
}

/** Reads a file that an option names. @throws FileUnreadableError */
export function readBytes(option: string, path: string): Promise<Uint8Array> {
  return readFile(path).catch((cause: unknown) => {
    throw new FileUnreadableError(`${option} ${path}: ${whyUnreadable(cause)}`, { cause });
  });
}

/** Reads the file's text, a byte order mark included: it is part of what was attested. @throws FileUnreadableError */
export async function readText(path: string): Promise<string> {
  const bytes = await readBytes('--file', path);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new FileUnreadableError(`--file ${path}: it is not UTF-8 text`, { cause });
  }
}
