import { retryName } from '../../adapters/aws/client.ts';
import { composeServices, workflowLimits } from '../../adapters/compose-services.ts';
import type { Services } from '../../domain/services.ts';
import type { StepInput } from '../../domain/steps/enter-step.ts';
import { logStepError, StepError } from './step-error.ts';
import { tokenStepSchema } from './step-input.ts';

type TokenStep = (services: Services, input: StepInput) => Promise<void>;

/**
 * A state that waits with a task token. Its failures go out with the token, by name: a function's own error would
 * fail the task on AWS, but on emulators only its time-out would.
 */
export function tokenStep(step: TokenStep): (event: unknown) => Promise<void> {
  const services = composeServices(process.env, workflowLimits);
  return (event) => runTokenStep(services, step, event);
}

export async function runTokenStep(services: Services, step: TokenStep, event: unknown): Promise<void> {
  const input = tokenStepSchema.parse(event);
  try {
    await step(services, input);
  } catch (error) {
    const { organizationId, id } = input;
    logStepError(services.log, error, { organizationId, id });
    await tellFailure(services, input.taskToken, error);
  }
}

/** Where the answer itself is refused for load, the function's own error is the answer. */
async function tellFailure({ executions, log }: Services, taskToken: string, error: unknown): Promise<void> {
  try {
    await executions.fail(taskToken, retryName(error));
  } catch (unanswered) {
    log.error('failure not told', unanswered);
    throw new StepError(unanswered);
  }
}
