import type { Services } from '../../../functions/domain/services.ts';
import { guarded } from './guarded.ts';
import { forever, Processes } from './processes.ts';

/**
 * Kind of fault of one call of a port: its process ends before or after the effect, the call is refused, or the effect
 * happens and the answer is lost.
 */
export type FaultKind = 'killed before' | 'killed after' | 'refused' | 'answer lost';

/** An error like Node's when a connection broke. */
class InjectedFaultError extends Error {
  override readonly name = 'InjectedFaultError';
  readonly code = 'ECONNRESET';
}

/** Chooses the calls that fail, and how long calls take. */
export interface Faults {
  next(call: string): FaultKind | undefined;
  /** Waits before a call has its effect, and again before its answer arrives. */
  pause?(): Promise<void>;
}

/** Counts every call of every port, in all invocations, and makes one of them fail. */
export class FaultPlan implements Faults {
  readonly calls: string[] = [];
  readonly #failingCall: number | undefined;
  readonly #kind: FaultKind;

  /** @param failingCall number of the call that fails, from 0; by default, none */
  constructor(failingCall?: number, kind: FaultKind = 'killed before') {
    this.#failingCall = failingCall;
    this.#kind = kind;
  }

  next(call: string): FaultKind | undefined {
    this.calls.push(call);
    return this.calls.length - 1 === this.#failingCall ? this.#kind : undefined;
  }

  get happened(): boolean {
    return this.#failingCall !== undefined && this.calls.length > this.#failingCall;
  }
}

const processes = new Processes();

/** Runs a function of the service as one process, with the faults of its calls. @throws ProcessKilledError */
export function invoke<Result>(
  services: Services,
  faults: Faults,
  run: (services: Services) => Promise<Result>,
): Promise<Result> {
  const faulty = guarded(services, async (call, effect) => {
    if (processes.isDead) return forever();
    const fault = faults.next(call);
    await faults.pause?.();
    if (fault === 'refused') throw new InjectedFaultError(call);
    if (fault === 'killed before') return processes.kill(call);
    if (processes.isDead) return forever();
    const result = await effect();
    await faults.pause?.();
    if (fault === 'killed after') return processes.kill(call);
    if (fault === 'answer lost') throw new InjectedFaultError(call);
    return processes.isDead ? forever() : result;
  });
  return processes.run(() => run(faulty));
}
