import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

function startWatchdog(): ChildProcess {
  const path = fileURLToPath(new URL('watchdog.ts', import.meta.url));
  // A group of its own, so that a Ctrl-C at the terminal does not reach it.
  const watchdog = spawn(process.execPath, [path], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // Whoever kills the watchdog only gives up its protection.
  watchdog.stdin?.on('error', () => undefined);
  watchdog.unref();
  return watchdog;
}

/** Has process groups killed when this process is gone, whatever way it dies. */
export class GroupWatchdog {
  readonly #process = startWatchdog();

  add(groupId: number): void {
    this.#process.stdin?.write(`+${groupId}\n`);
  }

  remove(groupId: number): void {
    this.#process.stdin?.write(`-${groupId}\n`);
  }

  /** Kills what was not removed. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.ref();
    this.#process.stdin?.end();
    await once(this.#process, 'exit');
  }
}
