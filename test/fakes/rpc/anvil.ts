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

/** Turns off viem's search for replacement transactions, which can miss a block and then wait in vain for the next. */
export const anvilChain = { ...foundry, supportsTransactionReplacementDetection: false } as const;

/** Turns off viem's sharing of answers: a request for a receipt could get the answer from before the newest block. */
export function anvilTransport(url: string): Transport {
  return (options) => {
    const { config, request, value } = http(url)(options);
    return { config, request: (call, options) => request(call, { ...options, dedupe: false }), value };
  };
}

/** One watchdog for all anvils that this process starts. */
let watchdog: GroupWatchdog | undefined;

/** Kills the process when this one ends, at the latest. @returns a function that kills it earlier */
function killWithThisProcess(pid: number, exited: Promise<unknown>): () => Promise<void> {
  watchdog ??= new GroupWatchdog();
  watchdog.add(pid);
  return async () => {
    signalGroup(pid, 'SIGKILL');
    await exited;
    watchdog?.remove(pid);
  };
}

/** Starts a chain on a free port of the loopback. The chain ends when it is stopped, or with this process. */
export async function startAnvil(options: readonly string[] = []): Promise<Anvil> {
  const args = ['--host', '127.0.0.1', '--port', '0', ...options];
  // The child inherits no stream of this process, because vitest waits until a child has closed it.
  const child = spawn(findAnvil(), args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  await once(child, 'spawn');
  const exited = once(child, 'exit');
  const stop = killWithThisProcess(Number(child.pid), exited);
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
