import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import type { Place } from './place.ts';

export interface StackResource {
  readonly type: string;
  readonly logicalId: string;
  /** Name or id in AWS. */
  readonly physicalId: string;
}

/** Lists what the stack is made of. */
export async function stackResources({
  aws,
  stackName,
}: Pick<Place, 'aws' | 'stackName'>): Promise<StackResource[]> {
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
