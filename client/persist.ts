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

/** Whether the same request may do better in a while. */
export function isPassing(error: unknown): error is ConnectionFailedError | RefusalError {
  if (error instanceof ConnectionFailedError) return true;
  return error instanceof RefusalError && passingStatuses.includes(error.status);
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
      if (attempt >= connection.tries || !isPassing(error)) throw error;
      const seconds = pauseSeconds(error, attempt, connection.random);
      if (seconds > longestObeyedSeconds) throw error;
      await connection.clock.sleep(seconds, ask.signal);
    }
  }
}

function pauseSeconds(error: ConnectionFailedError | RefusalError, attempt: number, random: () => number) {
  const told = error instanceof RefusalError ? error.retryAfterSeconds : undefined;
  return told ?? backoffSeconds(attempt, random);
}
