import type { Services } from '../../functions/domain/services.ts';
import { behind } from './behind.ts';

/**
 * What befalls one call of a port: its process ends before or after the effect, the call is refused, or the effect
 * happens and the answer is lost.
 */
export type FaultKind = 'killed before' | 'killed after' | 'refused' | 'answer lost';

export class InjectedFaultError extends Error {
  override readonly name = 'InjectedFaultError';
}

/** Counts every call of every port, in all invocations, and lets one of them go wrong. */
export class FaultPlan {
  readonly calls: string[] = [];
  readonly #at: number | undefined;
  readonly #kind: FaultKind;

  /** @param at the number of the call that goes wrong, from 0; none when left out */
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

/** One run of a function. Once killed, nothing it does has an effect, as when its process has ended. */
class Life {
  readonly killed: Promise<never>;
  readonly #plan: FaultPlan;
  #dead = false;
  #end: (error: Error) => void = () => {};

  constructor(plan: FaultPlan) {
    this.#plan = plan;
    this.killed = new Promise((_, reject) => {
      this.#end = reject;
    });
    this.killed.catch(() => {});
  }

  async call<Result>(name: string, effect: () => Promise<Result>): Promise<Result> {
    if (this.#dead) return forever();
    const fault = this.#plan.next(name);
    if (fault === 'refused') throw new InjectedFaultError(name);
    if (fault === 'killed before') return this.#die(name);
    const result = await effect();
    if (fault === 'killed after') return this.#die(name);
    if (fault === 'answer lost') throw new InjectedFaultError(name);
    return this.#dead ? forever() : result;
  }

  #die(name: string): Promise<never> {
    this.#dead = true;
    this.#end(new InjectedFaultError(name));
    return forever();
  }
}

/** Runs a function of the service as one process would, with the plan's fault if it is its turn. */
export function invoke<Result>(
  services: Services,
  plan: FaultPlan,
  run: (services: Services) => Promise<Result>,
): Promise<Result> {
  const life = new Life(plan);
  const mortal = behind(services, (call, effect) => life.call(call, effect));
  return Promise.race([run(mortal), life.killed]);
}
