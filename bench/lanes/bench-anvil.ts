import { searchPath } from '../../local/checkout.ts';
import { findAnvil } from '../../local/find-anvil.ts';
import type { Supervisor } from '../../local/supervise.ts';
import { waitForLog } from '../../local/wait-for-log.ts';

/** As Ethereum has them; anvil's own blocks hold half as much gas. */
const blockGasLimit = 60_000_000;

/** Starts an empty chain with blocks by the clock, each large enough for all that a lane may have in flight. */
export async function startBenchAnvil(supervisor: Supervisor, blockTimeSeconds: number): Promise<string> {
  const logPath = `${supervisor.directory}/anvil.log`;
  const blocks = ['--block-time', String(blockTimeSeconds), '--gas-limit', String(blockGasLimit)];
  const child = await supervisor.start({
    name: 'anvil',
    command: findAnvil(),
    args: ['--host', '127.0.0.1', '--port', '0', ...blocks],
    env: { PATH: searchPath, HOME: process.env.HOME ?? '/' },
    logPath,
  });
  const pattern = /Listening on (127\.0\.0\.1:\d+)/;
  const [, address] = await waitForLog({ name: 'anvil', child, logPath, pattern, timeoutMs: 30_000 });
  return `http://${address}`;
}
