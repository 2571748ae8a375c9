import { setTimeout } from 'node:timers/promises';
import {
  type CloudFormationClient,
  DeleteStackCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { type KMSClient, paginateListAliases } from '@aws-sdk/client-kms';
import { paginateDescribeParameters, type SSMClient } from '@aws-sdk/client-ssm';
import { signerAlias } from '../deployment/kms-signer-keys.ts';
import { findStack, isNoStack } from '../deployment/stack-outputs.ts';
import { CommandFailedError } from '../terminal/errors.ts';

const pollSeconds = 5;
const maxMinutes = 60;

/** The deletion of a stack, and what it leaves. Every function throws AWS's errors. */
export type StackRemoval = ReturnType<typeof stackRemoval>;

export function stackRemoval(
  stackName: string,
  { cloudFormation, ssm, kms }: { cloudFormation: CloudFormationClient; ssm: SSMClient; kms: KMSClient },
  pause: (milliseconds: number) => Promise<unknown> = setTimeout,
) {
  const resources = () => listResources(cloudFormation, stackName);
  return {
    countResources: async () => (await resources()).length,
    /** Names of the SSM parameters below the stack's path, including those that the stack contains. */
    parameters: () => listParameters(ssm, `/${stackName}/`),
    /** Keys of `signer rotate`, which the stack does not contain. */
    signerKeys: () => listAliases(kms, signerAlias(stackName, 1).slice(0, -1)),
    /** Deletes the stack, or continues its deletion, until it is gone. @throws CommandFailedError with the reasons */
    deleteStack: async (report: (line: string) => void) => {
      await cloudFormation.send(new DeleteStackCommand({ StackName: stackName }));
      for (let seconds = 0; seconds < maxMinutes * 60; seconds += pollSeconds) {
        await pause(pollSeconds * 1000);
        const stack = await findStack(cloudFormation, stackName);
        if (!stack) return;
        const left = await resources();
        if (stack.status === 'DELETE_FAILED')
          throw new CommandFailedError(
            `the stack ${stackName} is DELETE_FAILED: ${left.flatMap(failureOf).join('; ') || 'read its events in CloudFormation'}. ` +
              'Fix this, then run teardown again',
          );
        report(`${stackName} is ${stack.status}, with ${left.length} resources left`);
      }
      throw new CommandFailedError(
        `the stack ${stackName} still exists after ${maxMinutes} minutes; run teardown again to keep waiting`,
      );
    },
  };
}

type Resource = Awaited<ReturnType<typeof listResources>>[number];

const failureOf = ({ LogicalResourceId: id, ResourceStatus: status, ResourceStatusReason: why }: Resource) =>
  status === 'DELETE_FAILED' ? [`${id}: ${why ?? 'without a reason'}`] : [];

/** Lists the resources that still exist; none if the stack has just gone. */
async function listResources(client: CloudFormationClient, StackName: string) {
  const found = [];
  try {
    for await (const { StackResourceSummaries: page = [] } of paginateListStackResources(
      { client },
      { StackName },
    ))
      found.push(...page.filter(({ ResourceStatus: status }) => status !== 'DELETE_COMPLETE'));
  } catch (error) {
    if (!isNoStack(error)) throw error;
  }
  return found;
}

async function listParameters(client: SSMClient, prefix: string): Promise<string[]> {
  const names: string[] = [];
  const ParameterFilters = [{ Key: 'Name', Option: 'BeginsWith', Values: [prefix] }];
  for await (const { Parameters: page = [] } of paginateDescribeParameters({ client }, { ParameterFilters }))
    for (const { Name: name = '' } of page) if (name.startsWith(prefix)) names.push(name);
  return names.sort();
}

async function listAliases(client: KMSClient, prefix: string) {
  const found: { alias: string; keyId: string }[] = [];
  for await (const { Aliases: page = [] } of paginateListAliases({ client }, {}))
    for (const { AliasName: alias = '', TargetKeyId: keyId } of page)
      if (alias.startsWith(prefix) && keyId) found.push({ alias, keyId });
  return found;
}
