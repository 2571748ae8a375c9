import type { Services } from '../../../functions/domain/services.ts';
import { guarded } from './guarded.ts';

/**
 * Kind of fault of one call of a port: its process ends before or after the effect, the call is refused, or the effect
 * happens and the answer is lost.
 */
export type FaultKind = 'killed before' | 'killed after' | 'refused' | 'answer lost';

/** An error like Node's when a connection broke. */
export class InjectedFaultError extends Error {
  override readonly name = 'InjectedFaultError';
  readonly code = 'ECONNRESET';
}

/** An error like Lambda's when a process ended. */
class FunctionKilledError extends Error {
  override readonly name = 'Runtime.ExitError';
}

/** The choice of calls that fail, and of how long calls take. */
export interface Faults {
  next(call: string): FaultKind | undefined;
  /** Waits before a call has its effect, and again before its answer arrives. */
  pause?(): Promise<void>;
}

/** Counts every call of every port, in all invocations, and makes one of them fail. */
export class FaultPlan implements Faults {
  readonly calls: string[] = [];
  readonly #at: number | undefined;
  readonly #kind: FaultKind;

  /** @param at number of the call that fails, from 0; without it, none */
  constructor(at?: number, kind: FaultKind = 'killed before') {
    this.#at = at;
    this.#kind = kind;
  }

  next(call: string): FaultKind | undefined {
    this.calls.push(call);
    return this.calls.length - 1 === this.#at ? this.#kind : undefined;
  }

  get happened(): boolean {
    return this.#at !== undefined && this.calls.length > this.#at;
  }
}

const forever = <Result>(): Promise<Result> => new Promise(() => {});

/** One run of a function. Once killed, it has no further effect, as when its process has ended. */
class Invocation {
  readonly killed: Promise<never>;
  readonly #faults: Faults;
  #dead = false;
  #end: (error: Error) => void = () => {};

  constructor(faults: Faults) {
    this.#faults = faults;
    this.killed = new Promise((_, reject) => {
      this.#end = reject;
    });
    this.killed.catch(() => {});
  }

  async call<Result>(name: string, effect: () => Promise<Result>): Promise<Result> {
    if (this.#dead) return forever();
    const fault = this.#faults.next(name);
    await this.#faults.pause?.();
    if (fault === 'refused') throw new InjectedFaultError(name);
    if (fault === 'killed before') return this.#die(name);
    if (this.#dead) return forever();
    const result = await effect();
    await this.#faults.pause?.();
    if (fault === 'killed after') return this.#die(name);
    if (fault === 'answer lost') throw new InjectedFaultError(name);
    return this.#dead ? forever() : result;
  }

  #die(name: string): Promise<never> {
    this.#dead = true;
    this.#end(new FunctionKilledError(name));
    return forever();
  }
}

/** Runs a function of the service as one process, with the faults of its calls. */
export function invoke<Result>(
  services: Services,
  faults: Faults,
  run: (services: Services) => Promise<Result>,
): Promise<Result> {
  const invocation = new Invocation(faults);
  const mortal = guarded(services, (call, effect) => invocation.call(call, effect));
  return Promise.race([run(mortal), invocation.killed]);
}
