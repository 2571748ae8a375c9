import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/** The alias that executions are started through where state machine versions exist. */
export const liveAlias = 'live';

/**
 * Where a state machine will be. Known before the machine exists, because the functions it calls are also the
 * functions that start it, and references both ways cannot be deployed.
 */
export interface MachineAddress {
  readonly name: string;
  readonly arn: string;
  /** What executions are started with. */
  readonly startArn: string;
  /** Matches every execution, whichever version it runs. */
  readonly executionsArn: string;
}

export function machineAddress(scope: Construct, id: string, versioned: boolean): MachineAddress {
  const stack = Stack.of(scope);
  const name = `${stack.stackName}-${id}`;
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  const arn = stack.formatArn({ service: 'states', resource: 'stateMachine', resourceName: name, arnFormat });
  const executions = { service: 'states', resource: 'execution', resourceName: `${name}:*`, arnFormat };
  return {
    name,
    arn,
    startArn: versioned ? `${arn}:${liveAlias}` : arn,
    executionsArn: stack.formatArn(executions),
  };
}
