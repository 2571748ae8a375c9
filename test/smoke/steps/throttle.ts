import { setTimeout as pause } from 'node:timers/promises';
import {
  DeleteFunctionConcurrencyCommand,
  LambdaClient,
  PutFunctionConcurrencyCommand,
} from '@aws-sdk/client-lambda';
import { demand, until } from '../demand.ts';
import { stackResources } from '../place/stack-resources.ts';
import { onlyAws, type Scene } from '../scene.ts';
import { sendStrangers, strangers } from '../strangers.ts';

/** Requests at once of the API document, of which the stage lets 10 a second pass, and 20 at first. */
const readers = 80;

/** What is refused for load is refused as documented, and what a throttle stops goes on after it. */
export async function throttle(scene: Scene): Promise<void> {
  await limitKey(scene);
  await limitStage(scene);
  scene.waitFor('requests without a valid key');
  await sendStrangers(scene);
  scene.proven(`${strangers} requests without a valid key got 401`);
  await stopFunction(scene);
}

/** Whether an answer is a refusal as docs/api.md has it. */
async function isRefusal(answer: Response): Promise<boolean> {
  const { error } = JSON.parse(await answer.text());
  return typeof error === 'string' && Number(answer.headers.get('retry-after')) >= 1;
}

async function limitKey(scene: Scene): Promise<void> {
  scene.waitFor('a key asks more often than its rate allows');
  const { apiUrl, apiKey, organizationId } = scene.service();
  const update = (limit: string) =>
    scene.admin('org', 'update', organizationId, '--key-requests-per-minute', limit);
  await update('5');
  const ask = () => fetch(`${apiUrl}/v1/attestations`, { headers: { authorization: `Bearer ${apiKey}` } });
  const got = await Promise.all(Array.from({ length: 20 }, ask));
  await update('default');
  const refused = got.filter(({ status }) => status === 429);
  // The minute may end between them, and what was asked in it before counts too.
  demand(refused.length >= 10, `of 20 requests only ${refused.length} were refused`);
  demand((await Promise.all(refused.map(isRefusal))).every(Boolean), 'a 429 lacks Retry-After or its reason');
  await scene.client().chains();
  scene.proven(`of 20 requests of a key with 5 a minute, ${refused.length} got 429 with Retry-After`);
}

async function limitStage(scene: Scene): Promise<void> {
  if (!scene.place.isAws) return scene.notProven("the stage's throttle answers 429", onlyAws.stage);
  scene.waitFor('readers ask for the API document too often');
  const { apiUrl } = scene.service();
  const got = await Promise.all(Array.from({ length: readers }, () => fetch(`${apiUrl}/openapi.json`)));
  const refused = got.filter(({ status }) => status === 429);
  demand(refused.length > 0, `the stage let ${readers} requests at once pass`);
  demand(
    (await Promise.all(refused.map(isRefusal))).every(Boolean),
    'a 429 of the gateway is not as its own',
  );
  scene.proven(`the stage refused ${refused.length} of ${readers} requests at once, as docs/api.md says`);
}

/** Lambda runs no reveal for a while, as in an account whose concurrency is used up. */
async function stopFunction(scene: Scene): Promise<void> {
  if (!scene.place.isAws)
    return scene.notProven('an attestation waits for a function that Lambda throttles', onlyAws.concurrency);
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
  scene.waitFor('an attestation meets a function that Lambda throttles');
  const id = await scene.post('Throttled at its reveal.');
  const client = scene.client();
  await until('it is committed', { minutes: 10, everySeconds: 2 }, async () => {
    const { status } = await client.get(id);
    return status === 'committed';
  });
  await pause((scene.service().revealDelaySeconds + 15) * 1000);
  const { status } = await client.get(id);
  demand(status === 'committed', `it is ${status}, though no reveal can run`);
  await release();
  scene.waitFor('the throttle is over');
  await scene.confirmed(id);
  scene.proven('an attestation whose reveal Lambda refused to run waits, and is confirmed after that');
}
