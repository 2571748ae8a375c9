import {
  DescribeExecutionCommand,
  paginateListExecutions,
  RedriveExecutionCommand,
  SFNClient,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { demand, until } from '../demand.ts';
import { onlyAws, type Scene } from '../scene.ts';

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

/** Posts an article and stops its execution. */
async function stopOne(scene: Scene, states: SFNClient, what: string) {
  const { AttestStateMachineArn } = scene.service().outputs;
  const id = await scene.post(what);
  let executionArn: string | undefined;
  await until('its execution runs', { minutes: 3, everySeconds: 1 }, async () => {
    executionArn = await runningExecution(states, AttestStateMachineArn, id);
    return executionArn !== undefined;
  });
  await states.send(new StopExecutionCommand({ executionArn, cause: 'npm run smoke' }));
  const { status } = await states.send(new DescribeExecutionCommand({ executionArn }));
  demand(status === 'ABORTED', `a stopped execution is ${status}`);
  return { id, executionArn };
}

async function redriveOne(scene: Scene, states: SFNClient): Promise<void> {
  scene.waitFor('an execution is stopped and redriven');
  const { id, executionArn } = await stopOne(scene, states, 'Stopped and redriven.');
  await states.send(new RedriveExecutionCommand({ executionArn }));
  const { status, redriveCount } = await states.send(new DescribeExecutionCommand({ executionArn }));
  demand(redriveCount === 1, `the execution is ${status} and was redriven ${redriveCount} times`);
  await scene.confirmed(id);
  scene.proven('an attestation whose execution was stopped and redriven is confirmed once');
}

/** A stopped execution is redriven where that can be done, and followed by the next run where nobody does. */
export async function redrive(scene: Scene): Promise<void> {
  const states = new SFNClient(scene.place.aws);
  const left = await stopOne(scene, states, 'Stopped, and left to the sweep.');
  if (scene.place.isAws) await redriveOne(scene, states);
  else scene.notProven('a stopped execution can be redriven', onlyAws.redrive);
  scene.waitFor('the sweep looks at a stopped execution within ten minutes');
  await scene.confirmed(left.id);
  scene.proven('an attestation whose execution was stopped is confirmed by the run that the sweep started');
}
