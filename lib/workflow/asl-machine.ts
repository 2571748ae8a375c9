import { readFileSync } from 'node:fs';
import { RemovalPolicy } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  CfnStateMachineAlias,
  CfnStateMachineVersion,
  DefinitionBody,
  LogLevel,
  StateMachine,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { liveAlias, type MachineAddress } from '../access/machine-address.ts';
import { ServiceLog } from '../service-log.ts';

interface AslMachineProps {
  readonly address: MachineAddress;
  /** Functions by the names of the substitutions in the definition, which get the functions' current versions. */
  readonly functions: Readonly<Record<string, LambdaFunction>>;
  /** Substitutions that are numbers. ASL has no quotes around those, and a file of JSON has to have them. */
  readonly numbers?: Readonly<Record<string, number>>;
  readonly versioned: boolean;
  /** Days for which log lines are kept. */
  readonly logDays: number;
}

/** State machine as its file in statemachine/ defines it. */
export class AslMachine extends StateMachine {
  constructor(scope: Construct, file: string, props: AslMachineProps) {
    const { address, functions } = props;
    const id = file.replace(/^\w/, (first) => first.toUpperCase());
    super(scope, id, {
      stateMachineName: address.name,
      definitionBody: DefinitionBody.fromString(definition(file, props.numbers ?? {})),
      definitionSubstitutions: Object.fromEntries(
        Object.entries(functions).map(([name, called]) => [name, called.currentVersion.functionArn]),
      ),
      logs: {
        destination: new ServiceLog(scope, `${id}Log`, {
          // With this prefix, CloudWatch does not add every log group to a resource policy, until the policy is full.
          logGroupName: `/aws/vendedlogs/states/${address.name}`,
          days: props.logDays,
        }),
        level: LogLevel.ERROR,
        includeExecutionData: false,
      },
    });
    // All versions: executions that started before a deployment call the ones it replaced.
    for (const called of Object.values(functions)) called.grantInvoke(this);
    if (props.versioned) this.publish();
  }

  /** Publishes a version. A deployment moves the alias; running executions keep the version they started with. */
  private publish(): void {
    const version = new CfnStateMachineVersion(this, 'Version', {
      stateMachineArn: this.stateMachineArn,
      stateMachineRevisionId: this.stateMachineRevisionId,
    });
    version.applyRemovalPolicy(RemovalPolicy.RETAIN);
    new CfnStateMachineAlias(this, 'Alias', {
      name: liveAlias,
      routingConfiguration: [{ stateMachineVersionArn: version.attrArn, weight: 100 }],
    });
  }
}

function definition(file: string, numbers: Readonly<Record<string, number>>): string {
  const text = readFileSync(new URL(`../../statemachine/${file}.asl.json`, import.meta.url), 'utf8');
  const substituted: unknown = JSON.parse(text, (_key, value: unknown) => {
    const name = typeof value === 'string' ? /^\$\{(\w+)\}$/.exec(value)?.[1] : undefined;
    return (name !== undefined && numbers[name]) || value;
  });
  return JSON.stringify(substituted);
}
