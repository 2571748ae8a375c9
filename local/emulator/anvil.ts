import { existsSync } from 'node:fs';
import { checkout, searchPath } from '../checkout.ts';
import { freePort } from '../process/free-port.ts';
import type { Supervisor } from '../process/supervise.ts';
import { PlainError } from '../terminal/plain-error.ts';

interface AnvilOptions {
  readonly supervisor: Supervisor;
  /** The path of the binary. */
  readonly anvil: string;
  readonly port: number | undefined;
  /** Time between blocks. As on a real chain, anvil makes blocks by the clock, and the lane waits for the next one. */
  readonly blockTimeSeconds: number;
}

/**
 * Starts an empty chain with ID 31337 on loopback.
 * @returns its RPC URL
 */
export async function startAnvil(options: AnvilOptions): Promise<string> {
  const { supervisor, anvil, port, blockTimeSeconds } = options;
  // With 0, anvil chooses a free port and uses it immediately, so no other process can take it.
  const portArgument = port === undefined ? 0 : await freePort(port, '--rpc-port');
  const [, address] = await supervisor.startUntil(/Listening on (127\.0\.0\.1:\d+)/, 30_000, {
    name: 'anvil',
    command: anvil,
    args: ['--host', '127.0.0.1', '--port', String(portArgument), '--block-time', String(blockTimeSeconds)],
    env: { PATH: searchPath, HOME: process.env.HOME ?? '/' },
    logPath: `${supervisor.directory}/anvil.log`,
  });
  return `http://${address}`;
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Finds the installed anvil: the binary of this platform, or else the launcher, which downloads one.
 * @throws PlainError that states how to install it
 */
export function findAnvil(packages = `${checkout}/node_modules`): string {
  const platform = `${process.platform}-${architectures[process.arch] ?? process.arch}`;
  const binary = `${packages}/@foundry-rs/anvil-${platform}/bin/anvil`;
  const path = [binary, `${packages}/.bin/anvil`].find((candidate) => existsSync(candidate));
  if (path) return path;
  throw new PlainError(
    `anvil is not installed for ${platform}: run npm ci without --omit=optional, or set RPC_URL to a running chain`,
  );
}
