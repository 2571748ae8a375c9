import { ImprimaturError } from 'imprimatur-client';

/** An expected error. Its message explains the problem to the user, so no stack trace is printed. */
export class PlainError extends Error {}

/** Describes a failure by its message, or an unexpected one by its stack trace. */
export function describeFailure(error: unknown): string {
  if (error instanceof PlainError || error instanceof ImprimaturError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
