import type { Address } from 'viem';
import type { Caller } from '../../../functions/domain/organization/api-keys.ts';
import type { runRealService } from '../../fakes/real/real-service.ts';
import type { RunningService } from '../../fakes/world/running-service.ts';
import type { Trace } from '../watch/trace.ts';
import type { Chance, Scenario } from './scenario.ts';

/** The whole service, on fakes or on its real adapters. */
export type SoakService = RunningService | Awaited<ReturnType<typeof runRealService>>;

/** The world in which a life takes place. */
export interface SoakWorld {
  readonly service: SoakService;
  readonly callers: readonly Caller[];
  /** Adds a further key of the service. */
  addKey(): Promise<{ readonly keyId: string; readonly address: Address }>;
  /** Violations so far of what must hold at every moment. */
  readonly violations: readonly string[];
  /** Checks what must hold at the end. @throws Error */
  check(): Promise<void>;
  stop(): Promise<void>;
}

/** A world with the scenario, the chance and the trace of its life. */
export interface Stage extends SoakWorld {
  readonly scenario: Scenario;
  readonly chance: Chance;
  readonly trace: Trace;
  /** Counts an event, by name. */
  count(name: string): unknown;
}

/** Does an act, again and again until it succeeds. */
export async function insist(stage: Stage, what: string, act: () => Promise<unknown>): Promise<void> {
  const { service, chance, trace } = stage;
  try {
    await act();
    trace.note(`${what} done`);
  } catch (error) {
    trace.note(`${what} not done: ${error instanceof Error ? error.name : error}`);
    service.queue.after(chance.between(2, 20), () => insist(stage, what, act));
  }
}

/** Tries an act once; it may fail. */
export async function attempt({ trace }: Stage, what: string, act: () => unknown): Promise<void> {
  try {
    await act();
    trace.note(what);
  } catch (error) {
    trace.note(`${what} failed: ${error instanceof Error ? error.name : error}`);
  }
}
