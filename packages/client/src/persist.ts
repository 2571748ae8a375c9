import type { Answer } from './answer.ts';
import type { Connection } from './connection.ts';
import { ConnectionFailedError, RefusalError } from './errors.ts';
import { type Ask, exchange } from './exchange.ts';

/** The gateway also answers 500 for load, when AWS throttles a function. */
const passingStatuses = [429, 500, 502, 503, 504];

const firstPauseSeconds = 0.5;
const longestPauseSeconds = 20;
/** A longer `Retry-After` (until tomorrow, when a day's attestations are used up) is left to the caller. */
const longestObeyedSeconds = 60;

/** An error that the same request may not meet again after a while. */
export type Passing = ConnectionFailedError | RefusalError;

/** Whether the same request may succeed after a while. */
export function isPassing(error: unknown): error is Passing {
  if (error instanceof ConnectionFailedError) return true;
  return error instanceof RefusalError && passingStatuses.includes(error.status);
}

/**
 * Whether to try again after so many attempts: not when all tries are used up, or when the wait is left to the caller.
 */
export function isWorthRepeating(error: unknown, attempts: number, { tries }: Connection): error is Passing {
  return isPassing(error) && attempts < tries && (toldSeconds(error) ?? 0) <= longestObeyedSeconds;
}

/**
 * Pause before the next try; it doubles with each failure in a row. Half of it is random, so that clients do not return
 * all at once.
 */
export function backoffSeconds(failures: number, random: () => number): number {
  const seconds = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (failures - 1));
  return seconds * (0.5 + random() / 2);
}

/**
 * Sends a request, and sends it again while a refusal may pass. Every route is safe to repeat: the same content is one
 * attestation.
 * @throws the last error, as `exchange` does
 */
export async function persist(connection: Connection, ask: Ask): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await exchange(connection, ask);
    } catch (error) {
      if (!isWorthRepeating(error, attempt, connection)) throw error;
      const seconds = toldSeconds(error) ?? backoffSeconds(attempt, connection.random);
      await connection.clock.sleep(seconds, ask.signal);
    }
  }
}

/** Seconds from now after which to try again, where the service gave them. */
export function toldSeconds(error: Passing): number | undefined {
  return error instanceof RefusalError ? error.retryAfterSeconds : undefined;
}
