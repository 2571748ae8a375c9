import { searchPath } from './checkout.ts';
import { freePort } from './free-port.ts';
import type { Supervisor } from './supervise.ts';
import { waitForLog } from './wait-for-log.ts';

export interface AnvilOptions {
  readonly supervisor: Supervisor;
  /** The path of the binary. */
  readonly anvil: string;
  readonly port: number | undefined;
  /** Blocks come by the clock, as on a real chain: the lane waits for the next one. */
  readonly blockTimeSeconds: number;
}

/**
 * Starts an empty chain on loopback, id 31337.
 * @returns its RPC URL. @throws PortTakenError, ChildStartError, ChildUnreadyError
 */
export async function startAnvil(options: AnvilOptions): Promise<string> {
  const { supervisor, anvil, port, blockTimeSeconds } = options;
  // Any free port is best left to anvil, which then holds it from the start.
  const wanted = port === undefined ? 0 : await freePort(port, '--rpc-port');
  const logPath = `${supervisor.directory}/anvil.log`;
  const child = await supervisor.start({
    name: 'anvil',
    command: anvil,
    args: ['--host', '127.0.0.1', '--port', String(wanted), '--block-time', String(blockTimeSeconds)],
    env: { PATH: searchPath, HOME: process.env.HOME ?? '/' },
    logPath,
  });
  const pattern = /Listening on (127\.0\.0\.1:\d+)/;
  const [, address] = await waitForLog({ name: 'anvil', child, logPath, pattern, timeoutMs: 30_000 });
  return `http://${address}`;
}
