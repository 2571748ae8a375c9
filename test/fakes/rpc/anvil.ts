import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { http, type Transport } from 'viem';
import { foundry } from 'viem/chains';
import { findAnvil } from '../../../local/emulator/anvil.ts';
import { GroupWatchdog } from '../../../local/process/group-watchdog.ts';
import { signalGroup } from '../../../local/process/processes.ts';

export interface Anvil {
  readonly url: string;
  stop(): Promise<void>;
}

/** Without the search for replacements, in which viem overlooks a block and then waits for the next in vain. */
export const anvilChain = { ...foundry, supportsTransactionReplacementDetection: false } as const;

/** Without sharing of answers: viem's next question for a receipt would get the one from before a block came. */
export function anvilTransport(url: string): Transport {
  return (options) => {
    const { config, request, value } = http(url)(options);
    return { config, request: (call, how) => request(call, { ...how, dedupe: false }), value };
  };
}

/** One watchdog for all that this process starts. */
let watchdog: GroupWatchdog | undefined;

/** Kills the process with this one at the latest. @returns a function that kills it earlier */
function guard(pid: number, exited: Promise<unknown>): () => Promise<void> {
  watchdog ??= new GroupWatchdog();
  watchdog.add(pid);
  return async () => {
    signalGroup(pid, 'SIGKILL');
    await exited;
    watchdog?.remove(pid);
  };
}

/** Starts a chain on a free port of the loopback, which ends when stopped, or with this process. */
export async function startAnvil(options: readonly string[] = []): Promise<Anvil> {
  const args = ['--host', '127.0.0.1', '--port', '0', ...options];
  // No stream of this process is passed on: vitest waits until a child has closed it.
  const child = spawn(findAnvil(), args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  const stop = guard(Number(child.pid), exited);
  child.stderr.pipe(process.stderr);
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^Listening on (\S+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stdout.resume();
    return { url: `http://${address}`, stop };
  }
  await stop();
  throw new Error('anvil ended before it listened');
}
