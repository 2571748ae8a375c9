import { ExpectedError } from '../domain/errors.ts';
import type { Log } from '../domain/ports.ts';

/** Expected errors route an execution and are no alarm; for any other this line is all that tells the cause. */
export function logStepError(log: Log, error: unknown, fields: Readonly<Record<string, unknown>> = {}): void {
  if (error instanceof ExpectedError) log.info(error.message, { ...fields, error: error.name });
  else log.error('step failed', error, fields);
}
