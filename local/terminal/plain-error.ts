import { ImprimaturError } from 'imprimatur-client';

/** An error that the user can resolve. Its message has a line with the fix for each problem. */
export class PlainError extends Error {}

/** Describes a failure by its message, or an unexpected one by its stack trace. */
export function describeFailure(error: unknown): string {
  if (error instanceof PlainError || error instanceof ImprimaturError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
