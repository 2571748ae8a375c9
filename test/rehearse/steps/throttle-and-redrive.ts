import { setTimeout as pause } from 'node:timers/promises';
import {
  DeleteFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  paginateListExecutions,
  RedriveExecutionCommand,
  SFNClient,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { demand, until } from '../run.ts';
import type { Scene } from '../scene.ts';
import { stackResources } from '../stack/cloudformation.ts';

/** Concurrent requests of the API document. The stage allows 10 per second, with a burst of 20. */
const readers = 80;

/** Twice the threshold of the alarm Unauthenticated, because a period may end in between. */
const strangers = 250;

/** Throttled requests get the documented response, and throttled work resumes. */
export async function throttle(scene: Scene): Promise<void> {
  await limitKey(scene);
  if (scene.place.isAws) await limitStage(scene);
  else scene.notProven("the stage's throttle returns 429", 'an emulator does not throttle a stage');
  scene.log('sending requests without a valid key');
  await sendStrangers(scene);
  scene.proven(`${strangers} requests without a valid key got 401`);
  if (scene.place.isAws) return stopFunction(scene);
  scene.notProven(
    'an attestation waits for a function that Lambda throttles',
    'an emulator keeps reserved concurrency and does not apply it',
  );
}

/** Sends requests without a valid key, five at once. @throws PlainError unless each is refused with 401 */
export async function sendStrangers(scene: Scene): Promise<void> {
  const { apiUrl } = scene.service();
  const headers = { authorization: 'Bearer imp_live_nobody' };
  for (let sent = 0; sent < strangers; sent += 5) {
    const ask = () => fetch(`${apiUrl}/v1/chains`, { headers });
    const answers = await Promise.all(Array.from({ length: 5 }, ask));
    const other = answers.find(({ status }) => status !== 401);
    demand(other === undefined, `a request without a valid key got ${other?.status}`);
  }
}

/** Demands that at least so many were refused, each as docs/api.md has it. @returns how many were */
async function countRefused(answers: readonly Response[], least: number): Promise<number> {
  const refused = answers.filter(({ status }) => status === 429);
  demand(refused.length >= least, `only ${refused.length} of ${answers.length} requests were rejected`);
  for (const answer of refused) {
    const { error } = JSON.parse(await answer.text());
    const isDocumented = typeof error === 'string' && Number(answer.headers.get('retry-after')) >= 1;
    demand(isDocumented, 'a 429 lacks Retry-After or its reason');
  }
  return refused.length;
}

async function limitKey(scene: Scene): Promise<void> {
  scene.log('exceeding the request rate of a key');
  const { apiUrl, apiKey, organizationId } = scene.service();
  const update = (limit: string) =>
    scene.admin('org', 'update', organizationId, '--key-requests-per-minute', limit);
  await update('5');
  const ask = () => fetch(`${apiUrl}/v1/attestations`, { headers: { authorization: `Bearer ${apiKey}` } });
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  await update('default');
  // The minute may end in between, and earlier requests count too.
  const refused = await countRefused(answers, 10);
  await scene.client().chains();
  scene.proven(`of 20 requests of a key with 5 a minute, ${refused} got 429 with Retry-After`);
}

async function limitStage(scene: Scene): Promise<void> {
  scene.log('exceeding the request rate of the API document');
  const { apiUrl } = scene.service();
  const ask = () => fetch(`${apiUrl}/openapi.json`);
  const refused = await countRefused(await Promise.all(Array.from({ length: readers }, ask)), 1);
  scene.proven(
    `the stage rejected ${refused} of ${readers} concurrent requests, as documented in docs/api.md`,
  );
}

/** Lambda throttles the reveal, as in an account without free concurrency. */
async function stopFunction(scene: Scene): Promise<void> {
  const lambda = new LambdaClient(scene.place.aws);
  const resources = await stackResources(scene.place);
  const reveal = resources.find(
    ({ type, logicalId }) => type === 'AWS::Lambda::Function' && logicalId.startsWith('WorkflowReveal'),
  );
  demand(reveal !== undefined, 'the stack has no function Reveal');
  const { physicalId: FunctionName } = reveal;
  const release = () => lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
  scene.atEnd(release);
  await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }));
  scene.log('attesting while Lambda throttles a function');
  const id = await scene.post('Throttled at its reveal.');
  const statusNow = async () => (await scene.client().get(id)).status;
  const isCommitted = async () => (await statusNow()) === 'committed';
  await until('it is committed', { minutes: 10, everySeconds: 2 }, isCommitted);
  await pause((scene.service().revealDelaySeconds + 15) * 1000);
  const status = await statusNow();
  demand(status === 'committed', `it is ${status}, although no reveal can run`);
  await release();
  scene.log('ending the throttle');
  await scene.confirmed(id);
  scene.proven('an attestation waits while Lambda throttles its reveal, and is then confirmed');
}

/** Answers of Step Functions are eventually consistent. */
const aMinute = { minutes: 1, everySeconds: 2 };

/** A stopped execution is redriven where that can be done, and followed by the next run where nobody does. */
export async function redrive(scene: Scene): Promise<void> {
  const states = new SFNClient(scene.place.aws);
  const left = await stopOne(scene, states, 'Stopped, and left to the sweep.');
  if (scene.place.isAws) await redriveOne(scene, states);
  else scene.notProven('a stopped execution can be redriven', 'an emulator has no RedriveExecution');
  scene.log('waiting up to 10 minutes for the sweep to find a stopped execution');
  await scene.confirmed(left.id);
  // Names are the attestation's id and the number of the run.
  const executionArn = left.executionArn.replace(/\d+$/, (run) => String(Number(run) + 1));
  await until(`there is a next run, ${executionArn}`, aMinute, () =>
    states.send(new DescribeExecutionCommand({ executionArn })).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ExecutionDoesNotExist) return false;
        throw error;
      },
    ),
  );
  scene.proven(
    'an attestation whose execution was stopped is confirmed, by a next run that the sweep started',
  );
}

async function stopOne(scene: Scene, states: SFNClient, what: string) {
  const { AttestStateMachineArn } = scene.service().outputs;
  const id = await scene.post(what);
  // The state machine's own ARN, without the alias that starts go to.
  const stateMachineArn = AttestStateMachineArn.split(':').slice(0, 7).join(':');
  const asked = { stateMachineArn, statusFilter: 'RUNNING' } as const;
  let executionArn = '';
  await until('its execution runs', { minutes: 3, everySeconds: 1 }, async () => {
    for await (const { executions = [] } of paginateListExecutions({ client: states }, asked))
      executionArn ||= executions.find(({ name }) => name?.startsWith(`${id}-`))?.executionArn ?? '';
    return executionArn !== '';
  });
  await states.send(new StopExecutionCommand({ executionArn, cause: 'npm run rehearse' }));
  await until('the stopped execution is ABORTED', aMinute, async () => {
    const { status } = await states.send(new DescribeExecutionCommand({ executionArn }));
    return status === 'ABORTED';
  });
  return { id, executionArn };
}

async function redriveOne(scene: Scene, states: SFNClient): Promise<void> {
  scene.log('stopping and redriving an execution');
  const { id, executionArn } = await stopOne(scene, states, 'Stopped and redriven.');
  const describe = () => states.send(new DescribeExecutionCommand({ executionArn }));
  await states.send(new RedriveExecutionCommand({ executionArn }));
  await until('the execution was redriven once', aMinute, async () => (await describe()).redriveCount === 1);
  await scene.confirmed(id);
  const { status } = await describe();
  demand(status === 'RUNNING' || status === 'SUCCEEDED', `the redriven execution is ${status}`);
  scene.proven('an attestation whose execution was stopped and redriven is confirmed');
}
