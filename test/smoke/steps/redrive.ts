import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  paginateListExecutions,
  RedriveExecutionCommand,
  SFNClient,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { demand, until } from '../demand.ts';
import { onlyAws, type Scene } from '../scene.ts';

/** Answers of Step Functions are eventually consistent. */
const aMinute = { minutes: 1, everySeconds: 2 };

/** Name of the state machine's own ARN, without the alias that starts go to. */
export const machineOf = (arn: string): string => arn.split(':').slice(0, 7).join(':');

/** ARN of the only execution of an attestation that runs. */
async function runningExecution(
  states: SFNClient,
  machineArn: string,
  id: string,
): Promise<string | undefined> {
  const asked = { stateMachineArn: machineOf(machineArn), statusFilter: 'RUNNING' } as const;
  for await (const { executions = [] } of paginateListExecutions({ client: states }, asked)) {
    const found = executions.find(({ name }) => name?.startsWith(`${id}-`));
    if (found) return found.executionArn;
  }
  return undefined;
}

/** ARN of the run that follows: names are the attestation's id and the number of the run. */
export const nextRunOf = (arn: string): string => arn.replace(/\d+$/, (run) => String(Number(run) + 1));

async function isExecution(states: SFNClient, executionArn: string): Promise<boolean> {
  try {
    await states.send(new DescribeExecutionCommand({ executionArn }));
    return true;
  } catch (error) {
    if (error instanceof ExecutionDoesNotExist) return false;
    throw error;
  }
}

/** Posts an article and stops its execution. */
async function stopOne(scene: Scene, states: SFNClient, what: string) {
  const { AttestStateMachineArn } = scene.service().outputs;
  const id = await scene.post(what);
  let executionArn = '';
  await until('its execution runs', { minutes: 3, everySeconds: 1 }, async () => {
    executionArn = (await runningExecution(states, AttestStateMachineArn, id)) ?? '';
    return executionArn !== '';
  });
  await states.send(new StopExecutionCommand({ executionArn, cause: 'npm run smoke' }));
  await until('the stopped execution is ABORTED', aMinute, async () => {
    const { status } = await states.send(new DescribeExecutionCommand({ executionArn }));
    return status === 'ABORTED';
  });
  return { id, executionArn };
}

async function redriveOne(scene: Scene, states: SFNClient): Promise<void> {
  scene.waitFor('an execution is stopped and redriven');
  const { id, executionArn } = await stopOne(scene, states, 'Stopped and redriven.');
  await states.send(new RedriveExecutionCommand({ executionArn }));
  await until('the execution was redriven once', aMinute, async () => {
    const { redriveCount } = await states.send(new DescribeExecutionCommand({ executionArn }));
    return redriveCount === 1;
  });
  await scene.confirmed(id);
  const { status } = await states.send(new DescribeExecutionCommand({ executionArn }));
  demand(status === 'RUNNING' || status === 'SUCCEEDED', `the redriven execution is ${status}`);
  scene.proven('an attestation whose execution was stopped and redriven is confirmed');
}

/** A stopped execution is redriven where that can be done, and followed by the next run where nobody does. */
export async function redrive(scene: Scene): Promise<void> {
  const states = new SFNClient(scene.place.aws);
  const left = await stopOne(scene, states, 'Stopped, and left to the sweep.');
  if (scene.place.isAws) await redriveOne(scene, states);
  else scene.notProven('a stopped execution can be redriven', onlyAws.redrive);
  scene.waitFor('the sweep looks at a stopped execution within ten minutes');
  await scene.confirmed(left.id);
  const next = nextRunOf(left.executionArn);
  await until(`there is a next run, ${next}`, aMinute, () => isExecution(states, next));
  scene.proven(
    'an attestation whose execution was stopped is confirmed, by a next run that the sweep started',
  );
}
