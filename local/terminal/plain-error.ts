import { ImprimaturError } from '../../client/errors.ts';

/** A failure that the person at the terminal can do something about: its message is one line that says what. */
export abstract class PlainError extends Error {}

/** What a command ends with: one plain line where the failure has one, the trace of a fault of ours where not. */
export function describeFailure(error: unknown): string {
  if (error instanceof PlainError || error instanceof ImprimaturError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
