import {
  CloudFormationClient,
  DeleteStackCommand,
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import type { AwsStack } from '../target.ts';

export interface StackResource {
  readonly type: string;
  readonly logicalId: string;
  /** Name or id in AWS. */
  readonly physicalId: string;
}

/** Describes the stack; `undefined` if it does not exist. */
export async function describeStack({ aws, stackName }: AwsStack): Promise<Stack | undefined> {
  try {
    const { Stacks: stacks = [] } = await new CloudFormationClient(aws).send(
      new DescribeStacksCommand({ StackName: stackName }),
    );
    return stacks.find(({ StackStatus: status }) => status !== 'DELETE_COMPLETE');
  } catch (error) {
    if (error instanceof Error && error.message.includes('does not exist')) return undefined;
    throw error;
  }
}

/** Whether CloudFormation is changing the stack. A stack in review was never created. */
export const isChanging = (status: string | undefined): boolean =>
  /^(?!REVIEW_).*_IN_PROGRESS$/.test(status ?? '');

/** Deletes the stack as `cdk destroy` does. */
export async function deleteStack({ aws, stackName: StackName }: AwsStack): Promise<void> {
  const client = new CloudFormationClient(aws);
  await client.send(new DeleteStackCommand({ StackName }));
  await waitUntilStackDeleteComplete({ client, maxWaitTime: 3600, minDelay: 2, maxDelay: 15 }, { StackName });
}

export async function stackResources({ aws, stackName }: AwsStack): Promise<StackResource[]> {
  const resources: StackResource[] = [];
  const pages = paginateListStackResources(
    { client: new CloudFormationClient(aws) },
    { StackName: stackName },
  );
  for await (const { StackResourceSummaries: summaries = [] } of pages)
    for (const { ResourceType: type = '', LogicalResourceId: logicalId = '', ...rest } of summaries)
      resources.push({ type, logicalId, physicalId: rest.PhysicalResourceId ?? '' });
  return resources;
}
