import { composeServices, workflowLimits } from '../adapters/compose-services.ts';
import type { StepInput } from '../domain/enter-step.ts';
import type { Services } from '../domain/services.ts';
import { tokenStepSchema } from './step-input.ts';

type Step = (services: Services, input: StepInput) => Promise<void>;

/**
 * A state that waits with a task token. Its failures go out with the token, by name: a function's own error would
 * fail the task on AWS, but on emulators only its time-out would.
 */
export function tokenStep(step: Step): (event: unknown) => Promise<void> {
  const services = composeServices(process.env, workflowLimits);
  return (event) => runTokenStep(services, step, event);
}

export async function runTokenStep(services: Services, step: Step, event: unknown): Promise<void> {
  const input = tokenStepSchema.parse(event);
  try {
    await step(services, input);
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const { organizationId, id } = input;
    services.log.error('step failed', error, { organizationId, id });
    await services.executions.fail(input.taskToken, error);
  }
}
