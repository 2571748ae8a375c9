import { nameForRetry } from '../adapters/aws-errors.ts';
import { composeServices, workflowLimits } from '../adapters/compose-services.ts';
import type { Services } from '../domain/services.ts';
import { logStepError } from './log-step-error.ts';

type Step<Input, Output> = (services: Services, input: Input) => Promise<Output>;

/** What an execution's history is told of an error: its name, which routes it. The cause stays in the log. */
class StepError extends Error {
  constructor(name: string) {
    super('see the log of the function');
    this.name = name;
  }
}

/** A state that waits for its function's own answer. */
export function plainStep<Input, Output>(parse: (event: unknown) => Input, step: Step<Input, Output>) {
  const services = composeServices(process.env, workflowLimits);
  return async (event: unknown): Promise<Output> => {
    try {
      return await step(services, parse(event));
    } catch (error) {
      logStepError(services.log, error);
      throw new StepError(nameForRetry(error));
    }
  };
}
