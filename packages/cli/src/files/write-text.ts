import { writeFile } from 'node:fs/promises';
import { UsageInvalidError } from '../errors.ts';

/** Writes a text, or bytes, to a file, in place of what was there. @throws UsageInvalidError */
export async function writeText(path: string, text: string | Uint8Array): Promise<void> {
  await writeFile(path, text).catch((cause: NodeJS.ErrnoException) => {
    throw new UsageInvalidError(`cannot write ${path}: ${cause.code}`, { cause });
  });
}
