import { retryName } from '../../../functions/adapters/aws/client.ts';
import type { Services } from '../../../functions/domain/services.ts';
import { advance } from '../../../functions/domain/steps/advance-lane.ts';
import { commitStep } from '../../../functions/domain/steps/commit.ts';
import { confirmStep } from '../../../functions/domain/steps/confirm.ts';
import { failStep } from '../../../functions/domain/steps/fail.ts';
import { revealStep } from '../../../functions/domain/steps/reveal.ts';
import {
  attestationKeySchema,
  failStepSchema,
  laneTickSchema,
  runPlainStep,
  runTokenStep,
} from '../../../functions/workflow/step.ts';
import type { FunctionFile } from '../../../lib/access/function-access.ts';
import { restrictedToRole } from '../ports/restricted-to-role.ts';

type WorkflowFunction = (services: Services, event: unknown) => Promise<unknown>;

const functions: Readonly<Record<string, readonly [FunctionFile, WorkflowFunction]>> = {
  CommitFunction: ['workflow/commit', (services, event) => runTokenStep(services, commitStep, event)],
  RevealFunction: ['workflow/reveal', (services, event) => runTokenStep(services, revealStep, event)],
  ConfirmFunction: [
    'workflow/confirm',
    (services, event) => runPlainStep(services, attestationKeySchema, confirmStep, event),
  ],
  FailFunction: [
    'workflow/fail',
    (services, event) => runPlainStep(services, failStepSchema, failStep, event),
  ],
  AdvanceLaneFunction: [
    'workflow/advance-lane',
    (services, event) => runPlainStep(services, laneTickSchema, advance, event),
  ],
};

/** Returns the work of a handler in functions/workflow, restricted to its role. @param name as in the definitions */
export function workflowFunction(name: string): WorkflowFunction {
  const found = functions[name];
  if (!found) throw new Error(`no function ${name}`);
  const [file, run] = found;
  return (services, event) => run(restrictedToRole(file, services), event);
}

/** Rethrows an error by the name that the state machine handles, as functions/workflow/step.ts does. */
export function rethrowByName(error: unknown): never {
  throw Object.assign(new Error('see the log'), { name: retryName(error) });
}
