import * as z from 'zod';
import { retryName } from '../adapters/aws/client.ts';
import { composeServices, workflowLimits } from '../adapters/compose-services.ts';
import { ExpectedError } from '../domain/errors.ts';
import type { Log, Services } from '../domain/services.ts';
import type { StepInput } from '../domain/steps/enter-step.ts';

/** Schema of an execution's input: only IDs, because the execution's history shows the whole input. */
export const attestationKeySchema = z.object({ organizationId: z.uuid(), id: z.uuid() });

const tokenStepSchema = attestationKeySchema.extend({ taskToken: z.string().min(1) });

export const failStepSchema = attestationKeySchema.extend({ error: z.string(), executionName: z.string() });

export const laneTickSchema = z.object({
  lane: z.string().regex(/^\d+-0x[0-9a-fA-F]{40}$/),
  run: z.int().min(1),
  turn: z.int().min(0),
  definition: z.string().optional(),
});

/** An error in an execution's history: only its name, which routes the execution. The cause stays in the log. */
class StepError extends Error {
  constructor(cause: unknown) {
    super('see the log of the function');
    this.name = retryName(cause);
  }
}

/** Logs a step's error. Expected errors route an execution without an alarm. */
function logStepError(log: Log, error: unknown, fields: Readonly<Record<string, unknown>> = {}): void {
  if (error instanceof ExpectedError)
    log.info('step ended', { ...fields, error: error.name, reason: error.message });
  else log.error('step failed', error, fields);
}

function handlerOf<Output>(run: (services: Services, event: unknown) => Promise<Output>) {
  const services = composeServices(process.env, workflowLimits);
  return async (event: unknown): Promise<Output> => {
    await services.refresh();
    return run(services, event);
  };
}

export function plainStep<Input, Output>(
  schema: z.ZodType<Input>,
  step: (services: Services, input: Input) => Promise<Output>,
) {
  return handlerOf((services, event) => runPlainStep(services, schema, step, event));
}

export async function runPlainStep<Input, Output>(
  services: Services,
  schema: z.ZodType<Input>,
  step: (services: Services, input: Input) => Promise<Output>,
  event: unknown,
): Promise<Output> {
  try {
    return await step(services, schema.parse(event));
  } catch (error) {
    logStepError(services.log, error);
    throw new StepError(error);
  }
}

type TokenStep = (services: Services, input: StepInput) => Promise<void>;

/** Creates the handler of a state with a task token. It sends failures itself: emulators ignore a function's errors. */
export function tokenStep(step: TokenStep): (event: unknown) => Promise<void> {
  return handlerOf((services, event) => runTokenStep(services, step, event));
}

/** Runs a step, and fails its task when the step fails. @throws StepError when the failure cannot be sent */
export async function runTokenStep(services: Services, step: TokenStep, event: unknown): Promise<void> {
  const { executions, log } = services;
  const input = tokenStepSchema.parse(event);
  try {
    await step(services, input);
  } catch (error) {
    const { organizationId, id } = input;
    logStepError(log, error, { organizationId, id });
    try {
      await executions.fail(input.taskToken, retryName(error));
    } catch (unanswered) {
      // The function's own error fails the task.
      log.error('task failure not sent', unanswered);
      throw new StepError(unanswered);
    }
  }
}
