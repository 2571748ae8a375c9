import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { RemovalPolicy } from 'aws-cdk-lib';
import {
  CfnStateMachineAlias,
  CfnStateMachineVersion,
  DefinitionBody,
  LogLevel,
  StateMachine,
} from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { liveAlias, type MachineAddress } from '../access/machine-address.ts';
import { acknowledge, wildcard } from '../acknowledge.ts';
import type { ServiceFunction } from '../service-function.ts';
import { ServiceLog } from '../service-function.ts';

interface AslMachineProps {
  readonly address: MachineAddress;
  /** By the names of the substitutions, which get their aliases: executions across a deployment call its versions from their next state on. */
  readonly functions: Readonly<Record<string, ServiceFunction>>;
  /** Other substitutions. ASL has no quotes around numbers, and a file of JSON has to have them. */
  readonly values?: Readonly<Record<string, number | string>>;
  readonly versioned: boolean;
  /** Days for which log lines are kept. */
  readonly logDays: number;
}

/** State machine as its file in statemachine/ defines it. */
export class AslMachine extends StateMachine {
  constructor(scope: Construct, file: string, props: AslMachineProps) {
    const { address, functions, logDays } = props;
    const id = file.replace(/^\w/, (first) => first.toUpperCase());
    super(scope, id, {
      stateMachineName: address.name,
      definitionBody: DefinitionBody.fromString(definition(file, props.values ?? {})),
      definitionSubstitutions: Object.fromEntries(
        Object.entries(functions).map(([name, called]) => [name, called.live.functionArn]),
      ),
      logs: {
        // With this prefix, CloudWatch does not add every log group to a resource policy, until the policy is full.
        destination: new ServiceLog(scope, `${id}Log`, logDays, `/aws/vendedlogs/states/${address.name}`),
        level: LogLevel.ERROR,
        includeExecutionData: false,
      },
    });
    for (const { live } of Object.values(functions)) live.grantInvoke(this);
    acknowledge(this, {
      SF1: 'Errors are logged; each step of an execution is in its history, for 90 days.',
      SF2: 'A trace has the addresses that functions ask, and an RPC URL often holds a key.',
      [wildcard('*')]: 'The actions that deliver logs know no resources.',
    });
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

const read = (file: string): string =>
  readFileSync(new URL(`../../statemachine/${file}.asl.json`, import.meta.url), 'utf8');

/** Fingerprint of a definition: another one is another deployment's. */
export function fingerprint(file: string): string {
  return createHash('sha256').update(read(file)).digest('hex').slice(0, 16);
}

function definition(file: string, values: Readonly<Record<string, number | string>>): string {
  const substituted: unknown = JSON.parse(read(file), (_key, value: unknown) => {
    const name = typeof value === 'string' ? /^\$\{(\w+)\}$/.exec(value)?.[1] : undefined;
    return (name !== undefined && values[name]) || value;
  });
  return JSON.stringify(substituted);
}
