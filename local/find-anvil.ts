import { existsSync } from 'node:fs';
import { checkout } from './checkout.ts';
import { PlainError } from './plain-error.ts';

export class AnvilMissingError extends PlainError {
  override readonly name = 'AnvilMissingError';
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * The path of the installed anvil: the platform's own binary, or else the launcher, which fetches one.
 * @throws AnvilMissingError saying how to get it.
 */
export function findAnvil(packages = `${checkout}/node_modules`): string {
  const platform = `${process.platform}-${architectures[process.arch] ?? process.arch}`;
  const binary = `${packages}/@foundry-rs/anvil-${platform}/bin/anvil`;
  const path = [binary, `${packages}/.bin/anvil`].find((candidate) => existsSync(candidate));
  if (path) return path;
  throw new AnvilMissingError(
    `anvil is not installed for ${platform}: run npm ci without --omit=optional, or set RPC_URL to a chain that runs already`,
  );
}
