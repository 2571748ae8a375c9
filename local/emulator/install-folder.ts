import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Builds a folder aside and then renames it: two installations may run at once, and an interrupted one leaves nothing. */
export async function installFolder(path: string, build: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    await build(draft);
    if (existsSync(path)) renameSync(path, `${draft}.old`);
    renameSync(draft, path);
  } catch (error) {
    // Another process may have just made it, from the same requirements.
    if (!existsSync(path) || (error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  } finally {
    for (const left of [draft, `${draft}.old`]) rmSync(left, { recursive: true, force: true });
  }
}
