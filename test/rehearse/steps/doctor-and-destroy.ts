import { isDeepStrictEqual } from 'node:util';
import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { ListTopicsCommand, SNSClient } from '@aws-sdk/client-sns';
import { DescribeParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { demand, until } from '../run.ts';
import type { Scene } from '../scene.ts';
import { describeStack } from '../stack/cloudformation.ts';
import { tablesNamed } from '../stack/tables.ts';

interface Section {
  readonly findings: readonly { readonly check: string; readonly state: string; readonly message: string }[];
}

export async function doctor(scene: Scene): Promise<void> {
  scene.log('admin doctor');
  let passed = 0;
  // An emulator on a busy machine may be too slow.
  await until('doctor can ask everything', { minutes: 10, everySeconds: 1 }, async () => {
    const { exitCode, json } = await scene.tryAdmin('doctor');
    if (json.error !== undefined) return false;
    const findings = (json.sections as readonly Section[]).flatMap((section) => section.findings);
    const problems = findings.filter(({ state }) => state === 'problem');
    const lines = problems.map(({ check, message }) => `${check}: ${message}`).join('; ');
    demand(problems.length === 0, `doctor finds ${lines}`);
    passed = findings.filter(({ state }) => state === 'ok').length;
    return exitCode !== 2;
  });
  scene.proven(`doctor finds no problem in ${passed} checks`);
  if (!scene.place.isAws)
    scene.notProven(
      'quotas, logging role and running versions of state machines',
      'an emulator has no versions of state machines',
    );
}

/** The stack is deleted, and tables and key remain according to its retention. */
export async function destroy(scene: Scene): Promise<void> {
  const { place } = scene;
  const tables = await tablesNamed(place);
  scene.log('destroying the stack');
  await place.destroy();
  const status = (await describeStack(place))?.StackStatus;
  demand(status === undefined, `the stack ${place.stackName} still exists, ${status}`);
  scene.proven(`the stack ${place.stackName} is deleted`);
  if (place.isAws) return proveGone(scene);
  await proveKept(scene, tables);
  scene.notProven('what a deletion in AWS leaves behind', 'an emulator deletes without waiting');
}

async function signingKey({ place, service }: Scene) {
  const { SigningKeyId: KeyId } = service().outputs;
  const { KeyMetadata: key } = await new KMSClient(place.aws).send(new DescribeKeyCommand({ KeyId }));
  return key;
}

async function proveGone(scene: Scene): Promise<void> {
  await until('its tables are deleted', { minutes: 5, everySeconds: 5 }, async () => {
    const tables = await tablesNamed(scene.place);
    return tables.length === 0;
  });
  scene.proven('no table of it is left');
  const key = await signingKey(scene);
  demand(key?.KeyState === 'PendingDeletion', `its key is ${key?.KeyState}`);
  scene.proven(`its key is scheduled for deletion on ${key.DeletionDate?.toISOString().slice(0, 10)}`);
}

/** With retention, tables, key and RPC URLs outlive the stack. */
async function proveKept(scene: Scene, tables: readonly string[]): Promise<void> {
  const { aws } = scene.place;
  const { RpcUrlsPath } = scene.service().outputs;
  const [key, parameters, functions, machines, topics, groups] = await Promise.all([
    signingKey(scene),
    new SSMClient(aws).send(new DescribeParametersCommand({})),
    new LambdaClient(aws).send(new ListFunctionsCommand({})),
    new SFNClient(aws).send(new ListStateMachinesCommand({})),
    new SNSClient(aws).send(new ListTopicsCommand({})),
    new CloudWatchLogsClient(aws).send(new DescribeLogGroupsCommand({})),
  ]);
  const left = {
    tables: await tablesNamed(scene.place),
    parameters: (parameters.Parameters ?? []).map(({ Name }) => Name),
    signingKey: key?.KeyState,
    running: [functions.Functions, machines.stateMachines, topics.Topics, groups.logGroups].flat(),
  };
  const parameter = `${RpcUrlsPath}/${scene.service().chainId}`;
  const expected = { tables, parameters: [parameter], signingKey: 'Enabled', running: [] };
  demand(isDeepStrictEqual(left, expected), `the deleted stack left ${JSON.stringify(left)}`);
  scene.proven(
    `its ${tables.length} tables, including copies, its key, and its RPC URLs remain, and nothing is running`,
  );
}
