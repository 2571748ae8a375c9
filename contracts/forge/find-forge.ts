import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** npm has installed no forge for this machine. */
export class ForgeMissingError extends Error {
  override name = 'ForgeMissingError';
  constructor(path: string) {
    super(`no forge at ${path}: run npm ci`);
  }
}

/**
 * Finds the forge that npm installed, the program itself: its launcher script starts another process.
 * @throws ForgeMissingError
 */
export function findForge(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = process.platform === 'win32' ? 'forge.exe' : 'forge';
  const path = fileURLToPath(
    new URL(
      `../../node_modules/@foundry-rs/forge-${process.platform}-${architecture}/bin/${name}`,
      import.meta.url,
    ),
  );
  if (!existsSync(path)) throw new ForgeMissingError(path);
  return path;
}
