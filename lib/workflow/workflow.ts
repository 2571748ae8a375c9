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
import { Construct } from 'constructs';
import type { Environment } from '../../functions/domain/settings.ts';
import { liveAlias, type MachineAddress } from '../access/machine-address.ts';
import { acknowledge, wildcard } from '../acknowledge.ts';
import { everyMinute, ServiceFunction, type ServiceFunctionProps, ServiceLog } from '../service-function.ts';

interface AslMachineProps {
  readonly address: MachineAddress;
  /**
   * Functions by substitution. Each is called by its alias, so running executions call the new version after a
   * deployment.
   */
  readonly functions: Readonly<Record<string, ServiceFunction>>;
  /** Other substitutions. The JSON file needs quotes around them, also around numbers, where ASL has none. */
  readonly values?: Readonly<Record<string, number | string>>;
  readonly versioned: boolean;
  readonly logDays: number;
}

/** State machine as its file in statemachine/ defines it. */
class AslMachine extends StateMachine {
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
        // Without this prefix, CloudWatch would add every log group to a resource policy, until the policy is full.
        destination: new ServiceLog(scope, `${id}Log`, logDays, `/aws/vendedlogs/states/${address.name}`),
        level: LogLevel.ERROR,
        includeExecutionData: false,
      },
    });
    for (const { live } of Object.values(functions)) live.grantInvoke(this);
    acknowledge(this, {
      SF1: 'Errors are logged; each step of an execution is in its history, for 90 days.',
      SF2: 'A trace contains the URLs that functions request, and an RPC URL often contains a key.',
      [wildcard('*')]: 'The actions that deliver logs have no resources.',
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

function fingerprint(file: string): string {
  return createHash('sha256').update(read(file)).digest('hex').slice(0, 16);
}

function definition(file: string, values: Readonly<Record<string, number | string>>): string {
  const substituted: unknown = JSON.parse(read(file), (_key, value: unknown) => {
    const name = typeof value === 'string' ? /^\$\{(\w+)\}$/.exec(value)?.[1] : undefined;
    return (name !== undefined && values[name]) || value;
  });
  return JSON.stringify(substituted);
}

interface WorkflowProps extends Pick<ServiceFunctionProps, 'resources' | 'settings' | 'hosting'> {
  readonly versioned: boolean;
}

/** Workflow of an attestation after it was accepted: the two state machines and the functions they call. */
export class Workflow extends Construct {
  readonly advanceLane: ServiceFunction;
  readonly sweep: ServiceFunction;
  readonly attest: AslMachine;
  readonly lane: AslMachine;
  readonly functions: readonly ServiceFunction[];

  constructor(scope: Construct, id: string, props: WorkflowProps) {
    super(scope, id);
    const functionProps = { ...props, timeoutSeconds: 60 };
    const { machines } = props.resources;
    const common = { versioned: props.versioned, logDays: props.hosting.retention.logDays };
    const commit = new ServiceFunction(this, 'workflow/commit', functionProps);
    const reveal = new ServiceFunction(this, 'workflow/reveal', functionProps);
    const confirm = new ServiceFunction(this, 'workflow/confirm', functionProps);
    const fail = new ServiceFunction(this, 'workflow/fail', functionProps);
    this.attest = new AslMachine(this, 'attest', {
      ...common,
      address: machines.attest,
      functions: {
        ...{ CommitFunction: commit, RevealFunction: reveal, ConfirmFunction: confirm, FailFunction: fail },
      },
      values: { TaskTimeoutSeconds: props.settings.taskTimeoutSeconds },
    });
    this.advanceLane = new ServiceFunction(this, 'workflow/advance-lane', functionProps);
    const laneDefinition = fingerprint('lane');
    this.advanceLane.addEnvironment('LANE_DEFINITION' satisfies keyof Environment, laneDefinition);
    this.lane = new AslMachine(this, 'lane', {
      ...common,
      address: machines.lane,
      functions: { AdvanceLaneFunction: this.advanceLane },
      values: { LaneDefinition: laneDefinition },
    });
    // It starts checks for up to 50 s: functions/domain/steps/sweep.ts.
    this.sweep = new ServiceFunction(this, 'workflow/sweep', { ...functionProps, timeoutSeconds: 90 });
    // The function has no reference to the machines, so only this makes the schedule wait for them.
    everyMinute(this, 'SweepSchedule', this.sweep).node.addDependency(this.attest, this.lane);
    this.functions = [commit, reveal, confirm, fail, this.advanceLane, this.sweep];
  }
}
