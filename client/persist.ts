import type { Answer } from './answer.ts';
import type { Connection } from './connection.ts';
import { ConnectionFailedError } from './errors.ts';
import { type Ask, exchange } from './exchange.ts';
import { RefusalError } from './refusals.ts';

/** The gateway answers 500, too, for load: a function that AWS throttles. */
const passingStatuses = [429, 500, 502, 503, 504];

const firstPauseSeconds = 0.5;
const longestPauseSeconds = 20;
/** Told to come back later than this (tomorrow, when a day's attestations are used up), the caller decides. */
const longestObeyedSeconds = 60;

/** What the same request may not meet again in a while. */
export type Passing = ConnectionFailedError | RefusalError;

export function isPassing(error: unknown): error is Passing {
  if (error instanceof ConnectionFailedError) return true;
  return error instanceof RefusalError && passingStatuses.includes(error.status);
}

/** Whether to ask again after so many attempts: not when all tries are used up, or when a caller would rather decide. */
export function isWorthRepeating(error: unknown, attempts: number, { tries }: Connection): error is Passing {
  return isPassing(error) && attempts < tries && (toldSeconds(error) ?? 0) <= longestObeyedSeconds;
}

/** Doubles with each failure in a row; half of it is chance, lest all clients come back at once. */
export function backoffSeconds(failures: number, random: () => number): number {
  const seconds = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (failures - 1));
  return seconds * (0.5 + random() / 2);
}

/**
 * Asks, and asks again while a refusal may pass. Every route may be asked again: the same content is one attestation.
 * @throws as `exchange` does, the last error
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

/** When to ask again, in seconds from now, where the service said so. */
export function toldSeconds(error: Passing): number | undefined {
  return error instanceof RefusalError ? error.retryAfterSeconds : undefined;
}
