import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

function startWatchdog(): ChildProcess {
  const path = fileURLToPath(new URL('watchdog.ts', import.meta.url));
  // `detached` starts its own group, so that Ctrl-C in the terminal does not reach it.
  const watchdog = spawn(process.execPath, [path], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  // If somebody kills the watchdog, only its protection is lost.
  watchdog.stdin?.on('error', () => undefined);
  watchdog.unref();
  return watchdog;
}

/** Kills process groups when this process ends for any reason. */
export class GroupWatchdog {
  readonly #process = startWatchdog();

  add(groupId: number): void {
    this.#process.stdin?.write(`+${groupId}\n`);
  }

  remove(groupId: number): void {
    this.#process.stdin?.write(`-${groupId}\n`);
  }

  /** Ends the watchdog, which kills the groups that were not removed. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.ref();
    this.#process.stdin?.end();
    await once(this.#process, 'exit');
  }
}
