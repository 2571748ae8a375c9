import type { Answer } from './answer.ts';
import type { Connection } from './connection.ts';
import { ConnectionFailedError, RefusalError } from './errors.ts';
import { type ApiRequest, sendRequest } from './send-request.ts';

/** The gateway also answers 500 when AWS throttles a function. */
const temporaryStatuses = [429, 500, 502, 503, 504];

const firstBackoffSeconds = 0.5;
const maxBackoffSeconds = 20;
/** Longer values of `Retry-After`, for example until the next day, are left to the caller. */
const maxRetryAfterSeconds = 60;

/** A temporary error, after which the same request may succeed. */
export type TemporaryError = ConnectionFailedError | RefusalError;

export function isTemporary(error: unknown): error is TemporaryError {
  if (error instanceof ConnectionFailedError) return true;
  return error instanceof RefusalError && temporaryStatuses.includes(error.status);
}

export function shouldRetry(
  error: unknown,
  attempts: number,
  { tries }: Connection,
): error is TemporaryError {
  return isTemporary(error) && attempts < tries && (retryAfterOf(error) ?? 0) <= maxRetryAfterSeconds;
}

/** Returns a pause that doubles with each consecutive failure. Half of it is random, to spread the retries of clients. */
export function backoffSeconds(failures: number, random: () => number): number {
  const seconds = Math.min(maxBackoffSeconds, firstBackoffSeconds * 2 ** (failures - 1));
  return seconds * (0.5 + random() / 2);
}

/** Sends a request, and retries after temporary errors. Every route is idempotent. @throws as `sendRequest` */
export async function sendWithRetries(connection: Connection, request: ApiRequest): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendRequest(connection, request);
    } catch (error) {
      if (!shouldRetry(error, attempt, connection)) throw error;
      const seconds = retryAfterOf(error) ?? backoffSeconds(attempt, connection.random);
      await connection.clock.sleep(seconds, request.signal);
    }
  }
}

/** Seconds before a retry, if the service returned them. */
export function retryAfterOf(error: TemporaryError): number | undefined {
  return error instanceof RefusalError ? error.retryAfterSeconds : undefined;
}
