import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Anvil {
  readonly rpcUrl: string;
  stop(): Promise<void>;
}

const launcher = fileURLToPath(new URL('../../node_modules/.bin/anvil', import.meta.url));

/** A chain of its own on a free loopback port, gone when stopped. */
export async function startAnvil(): Promise<Anvil> {
  const args = [launcher, '--host', '127.0.0.1', '--port', '0'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^Listening on (\S+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stdout.resume();
    return { rpcUrl: `http://${address}`, stop };
  }
  throw new Error('anvil ended before it listened');
}
