import { ImprimaturError } from 'imprimatur-client';

/** A failure that the person at the terminal can resolve; its message is one line that says how. */
export class PlainError extends Error {}

/** Describes a failure that ended a command: its one line if it has one, else the stack trace of what is a defect. */
export function describeFailure(error: unknown): string {
  if (error instanceof PlainError || error instanceof ImprimaturError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
