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
import { assert, waitUntil } from '../conditions.ts';
import { stackResources } from '../stack/cloudformation.ts';
import type { StepContext } from '../step-context.ts';

/** Number of concurrent requests for the API document. The stage allows 10 per second, with a burst of 20. */
const documentRequests = 80;

/** More than twice the threshold of the alarm Unauthenticated, because a period may end in between. */
const unauthenticatedRequests = 250;

/** Proves that throttled requests get the documented response, and that throttled work resumes. */
export async function throttle(context: StepContext): Promise<void> {
  await limitKey(context);
  if (context.target.isAws) await limitStage(context);
  else context.notProven("the stage's throttle returns 429", 'an emulator does not throttle a stage');
  context.log('sending requests without a valid key');
  await sendUnauthenticated(context);
  context.proven(`${unauthenticatedRequests} requests without a valid key got 401`);
  if (context.target.isAws) return stopFunction(context);
  context.notProven(
    'an attestation waits for a function that Lambda throttles',
    'an emulator keeps reserved concurrency and does not apply it',
  );
}

/** Sends requests without a valid key, five at once. @throws PlainError unless each is refused with 401 */
export async function sendUnauthenticated(context: StepContext): Promise<void> {
  const { apiUrl } = context.service();
  const headers = { authorization: 'Bearer imp_live_nobody' };
  for (let sent = 0; sent < unauthenticatedRequests; sent += 5) {
    const send = () => fetch(`${apiUrl}/v1/chains`, { headers });
    const answers = await Promise.all(Array.from({ length: 5 }, send));
    const other = answers.find(({ status }) => status !== 401);
    assert(other === undefined, `a request without a valid key got ${other?.status}`);
  }
}

/** Checks that at least this many requests got the 429 of docs/api.md. @returns the number */
async function countRefused(answers: readonly Response[], least: number): Promise<number> {
  const refused = answers.filter(({ status }) => status === 429);
  assert(refused.length >= least, `only ${refused.length} of ${answers.length} requests were rejected`);
  for (const answer of refused) {
    const { error } = JSON.parse(await answer.text());
    const isDocumented = typeof error === 'string' && Number(answer.headers.get('retry-after')) >= 1;
    assert(isDocumented, 'a 429 lacks Retry-After or its reason');
  }
  return refused.length;
}

async function limitKey(context: StepContext): Promise<void> {
  context.log('exceeding the request rate of a key');
  const { apiUrl, apiKey, organizationId } = context.service();
  const update = (limit: string) =>
    context.admin('org', 'update', organizationId, '--key-requests-per-minute', limit);
  await update('5');
  const send = () => fetch(`${apiUrl}/v1/attestations`, { headers: { authorization: `Bearer ${apiKey}` } });
  const answers = await Promise.all(Array.from({ length: 20 }, send));
  await update('default');
  // The minute may end in between, and earlier requests count too.
  const refused = await countRefused(answers, 10);
  await context.client().chains();
  context.proven(`of 20 requests of a key with 5 a minute, ${refused} got 429 with Retry-After`);
}

async function limitStage(context: StepContext): Promise<void> {
  context.log('exceeding the request rate of the API document');
  const { apiUrl } = context.service();
  const send = () => fetch(`${apiUrl}/openapi.json`);
  const refused = await countRefused(await Promise.all(Array.from({ length: documentRequests }, send)), 1);
  context.proven(
    `the stage rejected ${refused} of ${documentRequests} concurrent requests, as documented in docs/api.md`,
  );
}

/** Makes Lambda throttle the reveal, as in an account without free concurrency. */
async function stopFunction(context: StepContext): Promise<void> {
  const lambda = new LambdaClient(context.target.aws);
  const resources = await stackResources(context.target);
  const reveal = resources.find(
    ({ type, logicalId }) => type === 'AWS::Lambda::Function' && logicalId.startsWith('WorkflowReveal'),
  );
  assert(reveal !== undefined, 'the stack has no function Reveal');
  const { physicalId: FunctionName } = reveal;
  const release = () => lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
  context.atEnd(release);
  await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }));
  context.log('attesting while Lambda throttles a function');
  const id = await context.post('Throttled at its reveal.');
  const statusNow = async () => (await context.client().get(id)).status;
  const isCommitted = async () => (await statusNow()) === 'committed';
  await waitUntil('it is committed', { minutes: 10, everySeconds: 2 }, isCommitted);
  await pause((context.service().revealDelaySeconds + 15) * 1000);
  const status = await statusNow();
  assert(status === 'committed', `it is ${status}, although no reveal can run`);
  await release();
  context.log('ending the throttle');
  await context.waitUntilConfirmed(id);
  context.proven('an attestation waits while Lambda throttles its reveal, and is then confirmed');
}

/** Answers of Step Functions are eventually consistent. */
const oneMinute = { minutes: 1, everySeconds: 2 };

/** Stops an execution, which the sweep continues with the next run. In AWS, also stops another one and redrives it. */
export async function redrive(context: StepContext): Promise<void> {
  const states = new SFNClient(context.target.aws);
  const swept = await stopOne(context, states, 'Stopped, for the sweep to continue.');
  if (context.target.isAws) await redriveOne(context, states);
  else context.notProven('a stopped execution can be redriven', 'an emulator has no RedriveExecution');
  context.log('waiting up to 10 minutes for the sweep to find a stopped execution');
  await context.waitUntilConfirmed(swept.id);
  // An execution's name consists of the attestation's id and the number of the run.
  const executionArn = swept.executionArn.replace(/\d+$/, (run) => String(Number(run) + 1));
  await waitUntil(`there is a next run, ${executionArn}`, oneMinute, () =>
    states.send(new DescribeExecutionCommand({ executionArn })).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ExecutionDoesNotExist) return false;
        throw error;
      },
    ),
  );
  context.proven(
    'an attestation whose execution was stopped is confirmed, by a next run that the sweep started',
  );
}

async function stopOne(context: StepContext, states: SFNClient, text: string) {
  const { AttestStateMachineArn } = context.service().outputs;
  const id = await context.post(text);
  // ARN of the state machine, without the alias with which executions start.
  const stateMachineArn = AttestStateMachineArn.split(':').slice(0, 7).join(':');
  const input = { stateMachineArn, statusFilter: 'RUNNING' } as const;
  let executionArn = '';
  await waitUntil('its execution runs', { minutes: 3, everySeconds: 1 }, async () => {
    for await (const { executions = [] } of paginateListExecutions({ client: states }, input))
      executionArn ||= executions.find(({ name }) => name?.startsWith(`${id}-`))?.executionArn ?? '';
    return executionArn !== '';
  });
  await states.send(new StopExecutionCommand({ executionArn, cause: 'npm run rehearse' }));
  await waitUntil('the stopped execution is ABORTED', oneMinute, async () => {
    const { status } = await states.send(new DescribeExecutionCommand({ executionArn }));
    return status === 'ABORTED';
  });
  return { id, executionArn };
}

async function redriveOne(context: StepContext, states: SFNClient): Promise<void> {
  context.log('stopping and redriving an execution');
  const { id, executionArn } = await stopOne(context, states, 'Stopped and redriven.');
  const describe = () => states.send(new DescribeExecutionCommand({ executionArn }));
  await states.send(new RedriveExecutionCommand({ executionArn }));
  await waitUntil(
    'the execution was redriven once',
    oneMinute,
    async () => (await describe()).redriveCount === 1,
  );
  await context.waitUntilConfirmed(id);
  const { status } = await describe();
  assert(status === 'RUNNING' || status === 'SUCCEEDED', `the redriven execution is ${status}`);
  context.proven('an attestation whose execution was stopped and redriven is confirmed');
}
