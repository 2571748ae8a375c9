import { retryName } from '../../adapters/aws/client.ts';
import { composeServices, workflowLimits } from '../../adapters/compose-services.ts';
import type { Services } from '../../domain/services.ts';
import type { StepInput } from '../../domain/steps/enter-step.ts';
import { logStepError, StepError } from './step-error.ts';
import { tokenStepSchema } from './step-input.ts';

type TokenStep = (services: Services, input: StepInput) => Promise<void>;

/**
 * Creates the handler of a state that waits with a task token. Its failures are sent with the token, by name: a
 * function's own error would fail the task on AWS, but on emulators only the task's time-out would.
 */
export function tokenStep(step: TokenStep): (event: unknown) => Promise<void> {
  const services = composeServices(process.env, workflowLimits);
  return async (event) => {
    await services.refresh();
    await runTokenStep(services, step, event);
  };
}

/** Runs a step, and fails its task when the step fails. @throws StepError when the failure cannot be sent */
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

/** When the answer cannot be sent, for example for load, the function's own error is the answer. */
async function tellFailure({ executions, log }: Services, taskToken: string, error: unknown): Promise<void> {
  try {
    await executions.fail(taskToken, retryName(error));
  } catch (unanswered) {
    log.error('failure not told', unanswered);
    throw new StepError(unanswered);
  }
}
