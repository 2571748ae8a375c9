import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlainError } from '../terminal/plain-error.ts';
import { GroupWatchdog } from './group-watchdog.ts';
import { lockDirectory, releaseDirectory } from './owner.ts';
import { stopGroup } from './processes.ts';

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. The user's variables, such as AWS profiles, are not inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly logPath: string;
  readonly cwd?: string;
}

export interface Child {
  readonly pid: number;
  /** How the child ended; null while it runs. */
  exit(): string | null;
  readonly ended: Promise<string>;
}

const stoppingError = () => new PlainError('The local stack is stopping.');

/** Starts a stack's processes, each in its own group, and ends them. */
export class Supervisor {
  readonly directory: string;
  readonly #watchdog = new GroupWatchdog();
  readonly #running = new Set<number>();
  #stopping: Promise<void> | undefined;

  private constructor(directory: string) {
    this.directory = directory;
  }

  static async open(directory: string): Promise<Supervisor> {
    lockDirectory(directory);
    return new Supervisor(directory);
  }

  async start(options: ChildOptions): Promise<Child> {
    if (this.#stopping) throw stoppingError();
    const { child, pid } = await spawnGroup(options);
    this.#watchdog.add(pid);
    this.#running.add(pid);
    let exit: string | null = null;
    const ended = once(child, 'exit').then(([code, signal]) => {
      exit = `exit ${signal ?? code}`;
      return exit;
    });
    if (this.#stopping) {
      await stopGroup(pid);
      throw stoppingError();
    }
    return { pid, exit: () => exit, ended };
  }

  /** Runs a command. @returns whether it succeeded */
  async run(options: ChildOptions): Promise<boolean> {
    const child = await this.start(options);
    const exit = await child.ended;
    if (this.#stopping) throw stoppingError();
    this.#remove(child.pid);
    return exit === 'exit 0';
  }

  /** Starts a child and waits for a pattern in its output, because an open port could belong to another process. */
  async startUntil(pattern: RegExp, timeoutMs: number, options: ChildOptions): Promise<RegExpExecArray> {
    const child = await this.start(options);
    const { name, logPath } = options;
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const match = pattern.exec(readFileSync(logPath, 'utf8'));
      if (match) return match;
      const exit = child.exit();
      if (exit) throw new PlainError(`${name} failed to start (${exit}). See ${logPath}.`);
      if (Date.now() > deadline) throw new PlainError(`${name} did not start in time. See ${logPath}.`);
      await sleep(30);
    }
  }

  /** Ends all processes and unlocks the directory. Idempotent. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    await Promise.all([...this.#running].map((pid) => stopGroup(pid)));
    for (const pid of this.#running) this.#remove(pid);
    await this.#watchdog.stop();
    releaseDirectory(this.directory);
  }

  #remove(pid: number): void {
    this.#watchdog.remove(pid);
    this.#running.delete(pid);
  }
}

async function spawnGroup(options: ChildOptions): Promise<{ child: ChildProcess; pid: number }> {
  const { name, command, args, env, cwd, logPath } = options;
  const log = openSync(logPath, 'w', 0o600);
  try {
    const stdio = ['ignore', log, log] as const;
    const child = spawn(command, args, { detached: true, env, stdio: [...stdio], ...(cwd ? { cwd } : {}) });
    await once(child, 'spawn');
    if (child.pid === undefined) throw new Error('it has no process ID');
    return { child, pid: child.pid };
  } catch (cause) {
    throw new PlainError(`Cannot start ${name}: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  } finally {
    closeSync(log);
  }
}
