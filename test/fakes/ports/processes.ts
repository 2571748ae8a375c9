import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Guard } from './guarded.ts';

/** An error like Lambda's when a process ends. State machines retry it. */
export class ProcessKilledError extends Error {
  override readonly name = 'Runtime.ExitError';
}

/** A promise that never settles. */
export const forever = <Result>(): Promise<Result> => new Promise(() => {});

/** One run of a function of the service. Once killed, it receives no answer and does nothing more. */
class Process {
  readonly killed = Promise.withResolvers<never>();
  dead = false;
  /** Number of port calls for which it waits. */
  waiting = 0;
}

/** Runs functions of the service concurrently, as if each had its own process. */
export class Processes {
  readonly #storage = new AsyncLocalStorage<Process>();
  /** Represents all code that runs outside of `run`. */
  readonly #outside = new Process();
  readonly #running = new Set([this.#outside]);

  /** Runs a function as a process. @throws ProcessKilledError when it is killed */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const process = new Process();
    this.#running.add(process);
    try {
      return await Promise.race([this.#storage.run(process, work), process.killed.promise]);
    } finally {
      this.#running.delete(process);
    }
  }

  get isDead(): boolean {
    return this.#storage.getStore()?.dead ?? false;
  }

  /** Ends the calling process, whose call never returns. @throws ProcessKilledError outside of any process */
  kill(reason: string): Promise<never> {
    const process = this.#storage.getStore();
    const error = new ProcessKilledError(reason);
    if (!process) throw error;
    process.dead = true;
    process.killed.reject(error);
    return forever();
  }

  /** Blocks calls of killed processes, and counts the calls that wait for a port. */
  readonly guard: Guard = async (_, effect) => {
    const process = this.#storage.getStore() ?? this.#outside;
    if (process.dead) return forever();
    process.waiting++;
    try {
      const result = await effect();
      return process.dead ? forever() : result;
    } finally {
      process.waiting--;
    }
  };

  /** Resolves when no process waits for a port: each is done, or waits for time to pass. */
  async quiet(): Promise<void> {
    do await setImmediate();
    while ([...this.#running].some(({ waiting }) => waiting > 0));
  }
}
