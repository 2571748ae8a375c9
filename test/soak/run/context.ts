import type { Address } from 'viem';
import type { Caller } from '../../../functions/domain/organization/api-keys.ts';
import type { runRealService } from '../../fakes/real/real-service.ts';
import type { RunningService } from '../../fakes/world/running-service.ts';
import type { Scenario, SeededChoices } from './scenario.ts';
import type { Trace } from './trace.ts';

/** The whole service, on fakes or on its real adapters. */
export type SoakService = RunningService | Awaited<ReturnType<typeof runRealService>>;

export interface SoakWorld {
  readonly service: SoakService;
  readonly callers: readonly Caller[];
  /** Adds a further key of the service. */
  addKey(): Promise<{ readonly keyId: string; readonly address: Address }>;
  /** Violations of invariants so far. */
  readonly violations: readonly string[];
  /** Checks the rule at the end. @throws Error */
  check(): Promise<void>;
  stop(): Promise<void>;
}

/** A world with the scenario, the choices and the trace of its run. */
export interface RunContext extends SoakWorld {
  readonly scenario: Scenario;
  readonly choices: SeededChoices;
  readonly trace: Trace;
  /** Counts an event, by name. */
  count(name: string): unknown;
}

export async function insist(context: RunContext, what: string, act: () => Promise<unknown>): Promise<void> {
  const { service, choices, trace } = context;
  try {
    await act();
    trace.note(`${what} done`);
  } catch (error) {
    trace.note(`${what} not done: ${error instanceof Error ? error.name : error}`);
    service.queue.after(choices.between(2, 20), () => insist(context, what, act));
  }
}

/** Attempts an action once; it may fail. */
export async function attempt({ trace }: RunContext, what: string, act: () => unknown): Promise<void> {
  try {
    await act();
    trace.note(what);
  } catch (error) {
    trace.note(`${what} failed: ${error instanceof Error ? error.name : error}`);
  }
}
