import type { Connection } from './connection.ts';
import { WaitTimeoutError } from './errors.ts';
import { look, type Sight } from './look.ts';
import { backoffSeconds, isPassing } from './persist.ts';
import type { Attestation } from './shapes.ts';

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** 900 by default. Fees above the service's cap may take it hours. */
  readonly timeoutSeconds?: number | undefined;
  /** Told after each look, whether or not anything has changed. */
  readonly onProgress?: ((attestation: Attestation, elapsedSeconds: number) => void) | undefined;
}

export interface Wait extends WaitOptions {
  readonly id: string;
  /** What is waited for, for the message when time is up. */
  readonly goal: string;
  /** Whether it is so; throws when it will never be. */
  readonly isReached: (attestation: Attestation) => boolean;
}

const defaultTimeoutSeconds = 900;
const usualPauseSeconds = 5;
const shortestPauseSeconds = 1;

/**
 * Looks at an attestation until it is as wanted, as often as the service asks for. An outage that comes after the
 * first look does not end it: the service goes on, so waiting does.
 * @throws WaitTimeoutError, the signal's reason, what `isReached` throws, and what cannot pass
 */
export async function waitUntil(connection: Connection, wait: Wait): Promise<Attestation> {
  const { clock } = connection;
  const { timeoutSeconds = defaultTimeoutSeconds, signal } = wait;
  const startedAt = clock.now();
  let sight = await look(connection, wait);
  for (;;) {
    const elapsedSeconds = (clock.now() - startedAt) / 1000;
    wait.onProgress?.(sight.attestation, elapsedSeconds);
    if (wait.isReached(sight.attestation)) return sight.attestation;
    const remainingSeconds = timeoutSeconds - elapsedSeconds;
    if (remainingSeconds <= 0) throw timeoutError(wait, sight, timeoutSeconds);
    await clock.sleep(Math.min(pauseSeconds(sight, connection.random), remainingSeconds), signal);
    sight = await lookAgain(connection, wait, sight);
  }
}

/** What was seen stands while nothing can be seen. */
async function lookAgain(connection: Connection, wait: Wait, before: Sight): Promise<Sight> {
  try {
    return await look({ ...connection, tries: 1 }, wait, before);
  } catch (error) {
    if (!isPassing(error)) throw error;
    const retryAfterSeconds = 'retryAfterSeconds' in error ? error.retryAfterSeconds : undefined;
    return { ...before, failures: before.failures + 1, lastError: error, retryAfterSeconds };
  }
}

function pauseSeconds({ retryAfterSeconds, failures }: Sight, random: () => number): number {
  if (retryAfterSeconds !== undefined) return Math.max(shortestPauseSeconds, retryAfterSeconds);
  return failures > 0 ? shortestPauseSeconds + backoffSeconds(failures, random) : usualPauseSeconds;
}

function timeoutError({ goal }: Wait, { attestation, lastError }: Sight, timeoutSeconds: number) {
  const trouble = lastError ? `; the last look failed: ${lastError.message}` : '';
  const message = `not ${goal} after ${timeoutSeconds} s, still ${attestation.status}; it goes on${trouble}`;
  return new WaitTimeoutError(attestation, message, lastError && { cause: lastError });
}
