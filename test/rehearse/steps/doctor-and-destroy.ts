import { isDeepStrictEqual } from 'node:util';
import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { ListTopicsCommand, SNSClient } from '@aws-sdk/client-sns';
import { DescribeParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { assert, waitUntil } from '../conditions.ts';
import { describeStack } from '../stack/cloudformation.ts';
import { tablesNamed } from '../stack/tables.ts';
import type { StepContext } from '../step-context.ts';

interface Section {
  readonly findings: readonly { readonly check: string; readonly state: string; readonly message: string }[];
}

export async function doctor(context: StepContext): Promise<void> {
  context.log('admin doctor');
  let passed = 0;
  // An emulator on a busy machine may be too slow.
  await waitUntil('doctor can run all checks', { minutes: 10, everySeconds: 1 }, async () => {
    const { exitCode, json } = await context.tryAdmin('doctor');
    if (json.error !== undefined) return false;
    const findings = (json.sections as readonly Section[]).flatMap((section) => section.findings);
    const problems = findings.filter(({ state }) => state === 'problem');
    const lines = problems.map(({ check, message }) => `${check}: ${message}`).join('; ');
    assert(problems.length === 0, `doctor finds ${lines}`);
    passed = findings.filter(({ state }) => state === 'ok').length;
    return exitCode !== 2;
  });
  context.proven(`doctor finds no problem in ${passed} checks`);
  if (!context.target.isAws)
    context.notProven(
      'quotas, logging role and running versions of state machines',
      'an emulator has no Service Quotas, no logging role and no versions of state machines',
    );
}

/** Destroys the stack. Tables and key remain according to its retention. */
export async function destroy(context: StepContext): Promise<void> {
  const { target } = context;
  const tables = await tablesNamed(target);
  context.log('destroying the stack');
  await target.destroy();
  const status = (await describeStack(target))?.StackStatus;
  assert(status === undefined, `the stack ${target.stackName} still exists, ${status}`);
  context.proven(`the stack ${target.stackName} is deleted`);
  if (target.isAws) return proveDeleted(context);
  await proveKept(context, tables);
  context.notProven(
    'the resources that a deletion in AWS leaves behind',
    'an emulator deletes without waiting',
  );
}

async function signingKey({ target, service }: StepContext) {
  const { SigningKeyId: KeyId } = service().outputs;
  const { KeyMetadata: key } = await new KMSClient(target.aws).send(new DescribeKeyCommand({ KeyId }));
  return key;
}

async function proveDeleted(context: StepContext): Promise<void> {
  await waitUntil('its tables are deleted', { minutes: 5, everySeconds: 5 }, async () => {
    const tables = await tablesNamed(context.target);
    return tables.length === 0;
  });
  context.proven('none of its tables is left');
  const key = await signingKey(context);
  assert(key?.KeyState === 'PendingDeletion', `its key is ${key?.KeyState}`);
  context.proven(`its key is scheduled for deletion on ${key.DeletionDate?.toISOString().slice(0, 10)}`);
}

/** Proves that tables, key and RPC URLs remain when the stack has retention. */
async function proveKept(context: StepContext, tables: readonly string[]): Promise<void> {
  const { aws } = context.target;
  const { RpcUrlsPath } = context.service().outputs;
  const [key, parameters, functions, machines, topics, groups] = await Promise.all([
    signingKey(context),
    new SSMClient(aws).send(new DescribeParametersCommand({})),
    new LambdaClient(aws).send(new ListFunctionsCommand({})),
    new SFNClient(aws).send(new ListStateMachinesCommand({})),
    new SNSClient(aws).send(new ListTopicsCommand({})),
    new CloudWatchLogsClient(aws).send(new DescribeLogGroupsCommand({})),
  ]);
  const left = {
    tables: await tablesNamed(context.target),
    parameters: (parameters.Parameters ?? []).map(({ Name }) => Name),
    signingKey: key?.KeyState,
    running: [functions.Functions, machines.stateMachines, topics.Topics, groups.logGroups].flat(),
  };
  const parameter = `${RpcUrlsPath}/${context.service().chainId}`;
  const expected = { tables, parameters: [parameter], signingKey: 'Enabled', running: [] };
  assert(isDeepStrictEqual(left, expected), `the deleted stack left ${JSON.stringify(left)}`);
  context.proven(
    `its ${tables.length} tables, including copies, its key, and its RPC URLs remain, and nothing is running`,
  );
}
