import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import type { Place } from './place.ts';

export interface StackResource {
  readonly type: string;
  readonly logicalId: string;
  /** Name or id in AWS. */
  readonly physicalId: string;
}

type Of = Pick<Place, 'aws' | 'stackName'>;

/** Describes the stack; `undefined` once it is gone. */
export async function describeStack({ aws, stackName }: Of): Promise<Stack | undefined> {
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

export const stackStatus = async (of: Of): Promise<string | undefined> =>
  (await describeStack(of))?.StackStatus;

/** Whether CloudFormation is at it, and refuses all else. What waits for a review was never begun, and waits for ever. */
export const isChanging = (status: string | undefined): boolean =>
  /^(?!REVIEW_).*_IN_PROGRESS$/.test(status ?? '');

/** Lists what the stack is made of. */
export async function stackResources({ aws, stackName }: Of): Promise<StackResource[]> {
  const client = new CloudFormationClient(aws);
  const resources: StackResource[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName: stackName }))
    for (const {
      ResourceType: type = '',
      LogicalResourceId: logicalId = '',
      PhysicalResourceId,
    } of page.StackResourceSummaries ?? [])
      resources.push({ type, logicalId, physicalId: PhysicalResourceId ?? '' });
  return resources;
}
