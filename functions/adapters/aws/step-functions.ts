import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  InvalidToken,
  SendTaskFailureCommand,
  SendTaskSuccessCommand,
  type SFNClient,
  StartExecutionCommand,
  TaskDoesNotExist,
  TaskTimedOut,
} from '@aws-sdk/client-sfn';
import type { Executions } from '../../domain/services.ts';

type Started = 'running' | 'closed';

/** `…:stateMachine:<name>[:<alias>]` becomes `…:execution:<name>:<execution>`, without the alias. */
function executionArn(machineArn: string, name: string): string {
  const [arn, partition, service, region, account, , machine] = machineArn.split(':');
  return [arn, partition, service, region, account, 'execution', machine, name].join(':');
}

/** For an existing name, reads the status, because AWS and emulators answer differently for a running execution. */
async function start(states: SFNClient, machineArn: string, name: string, input: object): Promise<Started> {
  try {
    await states.send(
      new StartExecutionCommand({ stateMachineArn: machineArn, name, input: JSON.stringify(input) }),
    );
    return 'running';
  } catch (error) {
    if (!(error instanceof ExecutionAlreadyExists)) throw error;
    const described = await states.send(
      new DescribeExecutionCommand({ executionArn: executionArn(machineArn, name) }),
    );
    return described.status === 'RUNNING' ? 'running' : 'closed';
  }
}

/** Ignores the error for a stale token: its state was entered again, or has ended. */
async function ignoreStale(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    const stale = [TaskTimedOut, TaskDoesNotExist, InvalidToken].some((kind) => error instanceof kind);
    if (!stale) throw error;
  }
}

/** Creates `Executions` on Step Functions. Inputs contain only IDs and numbers; causes stay in the log. */
export function stepFunctions(
  states: SFNClient,
  machines: Readonly<Record<'attest' | 'lane', string>>,
): Executions {
  return {
    startAttest: ({ organizationId, id, run }) =>
      start(states, machines.attest, `${id}-${run}`, { organizationId, id }),
    startLane: ({ lane, run }) => start(states, machines.lane, `${lane}-${run}`, { lane, run, turn: 0 }),
    succeed: (taskToken, output) =>
      ignoreStale(states.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(output) }))),
    fail: (taskToken, error) => ignoreStale(states.send(new SendTaskFailureCommand({ taskToken, error }))),
  };
}
