import { composeServices, workflowLimits } from '../../adapters/compose-services.ts';
import type { Services } from '../../domain/services.ts';
import { logStepError, StepError } from './step-error.ts';

type PlainStep<Input, Output> = (services: Services, input: Input) => Promise<Output>;

/** Creates the handler of a state that waits for its function's own answer. */
export function plainStep<Input, Output>(parse: (event: unknown) => Input, step: PlainStep<Input, Output>) {
  const services = composeServices(process.env, workflowLimits);
  return async (event: unknown): Promise<Output> => {
    await services.refresh();
    return runPlainStep(services, (given) => step(given, parse(event)));
  };
}

/** Runs a step. @throws StepError when the step fails */
export async function runPlainStep<Output>(
  services: Services,
  step: (services: Services) => Promise<Output>,
): Promise<Output> {
  try {
    return await step(services);
  } catch (error) {
    logStepError(services.log, error);
    throw new StepError(error);
  }
}
