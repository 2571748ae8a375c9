import { Construct } from 'constructs';
import { ServiceFunction, type ServiceFunctionProps } from '../service-function.ts';
import { AslMachine } from './asl-machine.ts';

interface WorkflowProps extends Pick<ServiceFunctionProps, 'resources' | 'settings'> {
  readonly versioned: boolean;
}

/** Workflow of an attestation after it was accepted: the two state machines and the functions they call. */
export class Workflow extends Construct {
  readonly commit: ServiceFunction;
  readonly reveal: ServiceFunction;
  readonly advanceLane: ServiceFunction;
  readonly sweep: ServiceFunction;
  readonly attest: AslMachine;
  readonly lane: AslMachine;

  constructor(scope: Construct, id: string, props: WorkflowProps) {
    super(scope, id);
    const functionProps = { ...props, timeoutSeconds: 60 };
    const { machines } = props.resources;
    const { versioned } = props;
    this.commit = new ServiceFunction(this, 'workflow/commit', functionProps);
    this.reveal = new ServiceFunction(this, 'workflow/reveal', functionProps);
    this.attest = new AslMachine(this, 'attest', {
      address: machines.attest,
      versioned,
      functions: {
        CommitFunction: this.commit,
        RevealFunction: this.reveal,
        ConfirmFunction: new ServiceFunction(this, 'workflow/confirm', functionProps),
        FailFunction: new ServiceFunction(this, 'workflow/fail', functionProps),
      },
      numbers: { TaskTimeoutSeconds: props.settings.taskTimeoutSeconds },
    });
    this.advanceLane = new ServiceFunction(this, 'workflow/advance-lane', functionProps);
    this.lane = new AslMachine(this, 'lane', {
      address: machines.lane,
      versioned,
      functions: { AdvanceLaneFunction: this.advanceLane },
    });
    this.sweep = new ServiceFunction(this, 'workflow/sweep', functionProps);
  }
}
