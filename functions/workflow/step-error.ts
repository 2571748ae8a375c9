import { nameForRetry } from '../adapters/aws-errors.ts';

/** What an execution's history is told of an error: its name, which routes it. The cause stays in the log. */
export class StepError extends Error {
  constructor(cause: unknown) {
    super('see the log of the function');
    this.name = nameForRetry(cause);
  }
}
