import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Builds a folder under another name and then renames it. So first installations can run concurrently or be interrupted. */
export async function installFolder(path: string, build: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${process.pid}`;
  const isReplaced = existsSync(path);
  mkdirSync(dirname(path), { recursive: true });
  try {
    await build(draft);
    if (isReplaced) renameSync(path, `${draft}.old`);
    renameSync(draft, path);
  } catch (error) {
    // Another process may have built the same folder in the meantime, and may use it.
    if (!existsSync(path) || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  } finally {
    for (const rest of [draft, `${draft}.old`]) rmSync(rest, { recursive: true, force: true });
  }
}
