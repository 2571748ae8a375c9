import type { Answer } from './answer.ts';
import type { Connection } from './connection.ts';
import { ConnectionFailedError, RefusalError } from './errors.ts';
import { type Ask, exchange } from './exchange.ts';

/** The gateway also answers 500 when AWS throttles a function. */
const passingStatuses = [429, 500, 502, 503, 504];

const firstPauseSeconds = 0.5;
const longestPauseSeconds = 20;
/** Longer values of `Retry-After`, for example until the next day, are left to the caller. */
const longestObeyedSeconds = 60;

/** A temporary error, after which the same request may succeed. */
export type Passing = ConnectionFailedError | RefusalError;

export function isPassing(error: unknown): error is Passing {
  if (error instanceof ConnectionFailedError) return true;
  return error instanceof RefusalError && passingStatuses.includes(error.status);
}

/** Whether to retry after so many attempts. */
export function isWorthRepeating(error: unknown, attempts: number, { tries }: Connection): error is Passing {
  return isPassing(error) && attempts < tries && (toldSeconds(error) ?? 0) <= longestObeyedSeconds;
}

/**
 * Seconds before the next attempt. They double with each failure in a row. Half of them is random, so that clients do
 * not retry at the same time.
 */
export function backoffSeconds(failures: number, random: () => number): number {
  const seconds = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (failures - 1));
  return seconds * (0.5 + random() / 2);
}

/**
 * Sends a request, and retries after temporary errors. Every route is idempotent.
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

/** Seconds before a retry, if the service returned them. */
export function toldSeconds(error: Passing): number | undefined {
  return error instanceof RefusalError ? error.retryAfterSeconds : undefined;
}
