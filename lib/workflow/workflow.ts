import { Construct } from 'constructs';
import type { Environment } from '../../functions/domain/settings.ts';
import { everyMinute, ServiceFunction, type ServiceFunctionProps } from '../service-function.ts';
import { AslMachine, fingerprint } from './asl-machine.ts';

interface WorkflowProps extends Pick<ServiceFunctionProps, 'resources' | 'settings' | 'hosting'> {
  readonly versioned: boolean;
}

/** Workflow of an attestation after it was accepted: the two state machines and the functions they call. */
export class Workflow extends Construct {
  readonly advanceLane: ServiceFunction;
  readonly sweep: ServiceFunction;
  readonly attest: AslMachine;
  readonly lane: AslMachine;
  /** All of its functions. */
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
    // It begins checks for 50 s: functions/domain/steps/sweep.ts.
    this.sweep = new ServiceFunction(this, 'workflow/sweep', { ...functionProps, timeoutSeconds: 90 });
    // The function names the machines without a reference, so nothing else makes the schedule wait for them.
    everyMinute(this, 'SweepSchedule', this.sweep).node.addDependency(this.attest, this.lane);
    this.functions = [commit, reveal, confirm, fail, this.advanceLane, this.sweep];
  }
}
