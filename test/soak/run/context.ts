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
  /** Checks at the end that every attestation was confirmed once, or failed with a reason. @throws Error */
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

/** Repeats an action until it succeeds. The promise resolves after the first attempt. */
export async function retryUntilDone(
  context: RunContext,
  name: string,
  action: () => Promise<unknown>,
): Promise<void> {
  const { service, choices, trace } = context;
  try {
    await action();
    trace.note(`${name} done`);
  } catch (error) {
    trace.note(`${name} not done: ${error instanceof Error ? error.name : error}`);
    service.queue.after(choices.between(2, 20), () => retryUntilDone(context, name, action));
  }
}

/** Runs an action once. If it fails, only the trace has the error. */
export async function attempt({ trace }: RunContext, name: string, action: () => unknown): Promise<void> {
  try {
    await action();
    trace.note(name);
  } catch (error) {
    trace.note(`${name} failed: ${error instanceof Error ? error.name : error}`);
  }
}
