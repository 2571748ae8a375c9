import { retryName } from '../../adapters/aws/client.ts';
import { ExpectedError } from '../../domain/errors.ts';
import type { Log } from '../../domain/services.ts';

/** Error as an execution's history shows it: by its name, which routes the execution. The cause stays in the log. */
export class StepError extends Error {
  constructor(cause: unknown) {
    super('see the log of the function');
    this.name = retryName(cause);
  }
}

/**
 * Logs the error of a step. Expected errors route an execution and are no alarm; for any other, only this line tells
 * the cause.
 */
export function logStepError(log: Log, error: unknown, fields: Readonly<Record<string, unknown>> = {}): void {
  if (error instanceof ExpectedError)
    log.info('step ended', { ...fields, error: error.name, reason: error.message });
  else log.error('step failed', error, fields);
}
