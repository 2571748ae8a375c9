import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { findAnvil } from '../../../local/emulator/anvil.ts';

export interface Anvil {
  readonly url: string;
  stop(): Promise<void>;
}

/** A chain of its own on a free port of the loopback, whose first block has that time and which mines when told. */
export async function startAnvil(timestamp: number): Promise<Anvil> {
  // EIP-7825's limit, which nodes hold to and anvil does when told.
  const limits = ['--no-mining', '--enable-tx-gas-limit'];
  const args = ['--host', '127.0.0.1', '--port', '0', '--timestamp', String(timestamp), ...limits];
  const child = spawn(findAnvil(), args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    kill();
    await exited;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^Listening on (\S+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stdout.resume();
    return { url: `http://${address}`, stop };
  }
  throw new Error('anvil ended before it listened');
}
