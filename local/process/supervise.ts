import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PlainError } from '../terminal/plain-error.ts';
import { GroupWatchdog } from './group-watchdog.ts';
import {
  type ProcessRecord,
  processRecordPath,
  recordProcess,
  stopGroup,
  writeProcessRecord,
} from './processes.ts';
import { takeDirectory } from './take-directory.ts';

export interface ChildOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment: variables of the user's own, AWS profiles above all, are passed on only when named here. */
  readonly env: Readonly<Record<string, string>>;
  /** File that is overwritten with everything that the child prints. */
  readonly logPath: string;
  readonly cwd?: string;
}

export interface Child {
  readonly pid: number;
  /** Description of how the child ended; null while it runs. */
  exit(): string | null;
  readonly ended: Promise<string>;
}

export class ChildStartError extends PlainError {
  override readonly name = 'ChildStartError';
  constructor(name: string, options: ErrorOptions) {
    const cause = options.cause instanceof Error ? options.cause.message : String(options.cause);
    super(`${name} cannot be started: ${cause}`, options);
  }
}

export class SupervisorStoppedError extends PlainError {
  override readonly name = 'SupervisorStoppedError';
  constructor() {
    super('the local stack is being stopped');
  }
}

/** Starts a stack's processes, each as the leader of its own group, and ends all of them. */
export class Supervisor {
  readonly directory: string;
  readonly #watchdog = new GroupWatchdog();
  readonly #running = new Set<number>();
  #record: ProcessRecord;
  #stopping: Promise<void> | undefined;

  private constructor(directory: string, record: ProcessRecord) {
    this.directory = directory;
    this.#record = record;
  }

  /** Opens a directory; first stops what a crashed run left in it. @throws StackRunningError */
  static async open(directory: string): Promise<Supervisor> {
    return new Supervisor(directory, await takeDirectory(directory));
  }

  /** Starts a child process. @throws ChildStartError, SupervisorStoppedError */
  async start(options: ChildOptions): Promise<Child> {
    if (this.#stopping) throw new SupervisorStoppedError();
    const { child, pid } = await spawnGroup(options);
    let exit: string | null = null;
    const ended = once(child, 'exit').then(([code, signal]) => {
      exit = `exit ${signal ?? code}`;
      return exit;
    });
    await this.#add(options.name, pid);
    if (this.#stopping) {
      await stopGroup(pid);
      throw new SupervisorStoppedError();
    }
    return { pid, exit: () => exit, ended };
  }

  /** Runs a command to its end. @returns whether it succeeded. @throws ChildStartError, SupervisorStoppedError */
  async run(options: ChildOptions): Promise<boolean> {
    const child = await this.start(options);
    const exit = await child.ended;
    if (this.#stopping) throw new SupervisorStoppedError();
    this.#remove(child.pid);
    return exit === 'exit 0';
  }

  /** Ends every process started here, and releases the directory. Safe to call twice. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    await Promise.all([...this.#running].map((pid) => stopGroup(pid)));
    for (const pid of this.#running) this.#remove(pid);
    await this.#watchdog.stop();
    rmSync(processRecordPath(this.directory), { force: true });
  }

  async #add(name: string, pid: number): Promise<void> {
    this.#watchdog.add(pid);
    this.#running.add(pid);
    let recorded = recordProcess(name, pid);
    // A process is known again by its command line, which it has a moment after it began.
    while (recorded?.command === '') {
      await sleep(1);
      recorded = recordProcess(name, pid);
    }
    if (recorded) this.#write([...this.#record.children, recorded]);
  }

  #remove(pid: number): void {
    this.#watchdog.remove(pid);
    this.#running.delete(pid);
    this.#write(this.#record.children.filter((child) => child.pid !== pid));
  }

  #write(children: ProcessRecord['children']): void {
    this.#record = { ...this.#record, children };
    writeProcessRecord(this.directory, this.#record);
  }
}

async function spawnGroup(options: ChildOptions): Promise<{ child: ChildProcess; pid: number }> {
  const { name, command, args, env, cwd, logPath } = options;
  const log = openSync(logPath, 'w', 0o600);
  try {
    const stdio = ['ignore', log, log] as const;
    const child = spawn(command, args, { detached: true, env, stdio: [...stdio], ...(cwd ? { cwd } : {}) });
    await once(child, 'spawn');
    if (child.pid === undefined) throw new Error('it has no process id');
    return { child, pid: child.pid };
  } catch (cause) {
    throw new ChildStartError(name, { cause });
  } finally {
    closeSync(log);
  }
}
