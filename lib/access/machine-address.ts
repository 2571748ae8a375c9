import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** Alias of the version deployed last: of each function, and of state machines where they have versions. */
export const liveAlias = 'live';

/** Address of a state machine before it exists: the functions that it calls also start it, and references both ways cannot be deployed. */
export type MachineAddress = ReturnType<typeof machineAddress>;

/** Computes the address of a state machine from the stack's name and the machine's id. */
export function machineAddress(scope: Construct, id: string, versioned: boolean) {
  const stack = Stack.of(scope);
  const name = `${stack.stackName}-${id}`;
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  const arn = stack.formatArn({ service: 'states', resource: 'stateMachine', resourceName: name, arnFormat });
  const executions = { service: 'states', resource: 'execution', resourceName: `${name}:*`, arnFormat };
  return {
    name,
    arn,
    /** ARN with which executions are started. */
    startArn: versioned ? `${arn}:${liveAlias}` : arn,
    /** ARN pattern that matches every execution, of any version. */
    executionsArn: stack.formatArn(executions),
  };
}
