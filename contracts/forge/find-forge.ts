import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Finds the forge binary that npm installed. Its launcher script would start another process. */
export function findForge(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const program = `forge-${process.platform}-${architecture}/bin/forge`;
  const path = fileURLToPath(new URL(`../../node_modules/@foundry-rs/${program}`, import.meta.url));
  if (!existsSync(path)) throw new Error(`no forge at ${path}: run npm ci`);
  return path;
}
