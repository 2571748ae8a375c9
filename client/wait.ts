import type { Connection } from './connection.ts';
import { ConnectionFailedError, WaitTimeoutError } from './errors.ts';
import { look, type Sight } from './look.ts';
import { backoffSeconds, isPassing, isWorthRepeating, type Passing, toldSeconds } from './persist.ts';
import { checkedTimeout } from './seconds.ts';
import type { Attestation } from './shapes.ts';

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  /** 900 by default. Fees above the service's cap may take it hours. No look outlasts it; the last starts shortly before. */
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

/** What a wait knows. */
interface View {
  /** The last that was seen; it stands while nothing can be seen. */
  readonly sight?: Sight | undefined;
  /** Looks since then that saw nothing, and why the last of them did not. */
  readonly failures: number;
  readonly lastError?: Passing;
}

const defaultTimeoutSeconds = 900;
const usualPauseSeconds = 5;
const shortestPauseSeconds = 1;

/**
 * Looks at an attestation until it is as wanted, as often as the service asks for. An outage that comes after the
 * first sight does not end it: the service goes on, so waiting does.
 * @throws WaitTimeoutError; ConnectionFailedError when nothing was seen in time; the last error when the connection's
 * tries saw nothing; ArgumentInvalidError, the signal's reason, what `isReached` throws, and what cannot pass
 */
export async function waitUntil(connection: Connection, wait: Wait): Promise<Attestation> {
  const { clock, random } = connection;
  const timeoutSeconds = checkedTimeout(wait.timeoutSeconds ?? defaultTimeoutSeconds);
  const startedAt = clock.now();
  const elapsedSeconds = () => (clock.now() - startedAt) / 1000;
  let view: View = { failures: 0 };
  for (let isLast = false; ; ) {
    view = await lookAgain(connection, wait, view, timeoutSeconds - elapsedSeconds());
    const seen = view.sight?.attestation;
    if (seen) wait.onProgress?.(seen, elapsedSeconds());
    if (seen && wait.isReached(seen)) return seen;
    const pause = pauseSeconds(view, random);
    const longestPause = timeoutSeconds - elapsedSeconds() - lastLookSeconds(timeoutSeconds);
    if (isLast || longestPause <= 0) throw timeoutError(wait, view, timeoutSeconds);
    isLast = pause >= longestPause;
    await clock.sleep(Math.min(pause, longestPause), wait.signal);
  }
}

/** How long before the end the last look starts: it needs time for its answer. */
function lastLookSeconds(timeoutSeconds: number): number {
  return Math.min(2, timeoutSeconds / 10);
}

async function lookAgain(
  connection: Connection,
  wait: Wait,
  before: View,
  remainingSeconds: number,
): Promise<View> {
  const timeoutSeconds = Math.min(connection.timeoutSeconds, remainingSeconds);
  try {
    const sight = await look({ ...connection, tries: 1, timeoutSeconds }, wait, before.sight);
    return { sight, failures: 0 };
  } catch (error) {
    const failures = before.failures + 1;
    if (!isPassing(error)) throw error;
    if (!before.sight && !isWorthRepeating(error, failures, connection)) throw error;
    return { sight: before.sight, failures, lastError: error };
  }
}

function pauseSeconds({ sight, failures, lastError }: View, random: () => number): number {
  const told = lastError ? toldSeconds(lastError) : sight?.retryAfterSeconds;
  if (told !== undefined) return Math.max(shortestPauseSeconds, told);
  return failures > 0 ? shortestPauseSeconds + backoffSeconds(failures, random) : usualPauseSeconds;
}

function timeoutError({ goal }: Wait, { sight, lastError }: View, timeoutSeconds: number) {
  const options = lastError && { cause: lastError };
  if (!sight) {
    const message = `nothing was seen of the attestation in ${timeoutSeconds} s: ${lastError?.message}`;
    return new ConnectionFailedError(message, options);
  }
  const { attestation } = sight;
  const trouble = lastError ? `; the last look failed: ${lastError.message}` : '';
  const message = `not ${goal} after ${timeoutSeconds} s, still ${attestation.status}; it goes on${trouble}`;
  return new WaitTimeoutError(attestation, message, options);
}
