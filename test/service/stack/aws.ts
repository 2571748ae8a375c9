import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type ExecutionStatus, paginateListExecutions, SFNClient } from '@aws-sdk/client-sfn';
import { composeRecords } from '../../../functions/adapters/compose-records.ts';
import { awsEndpoint, clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { stack } from './running-stack.ts';

const { outputs } = stack;

export const endpoint = awsEndpoint(stack.endpointUrl, { AWS_REGION: stack.region });

export const states = new SFNClient(clientOptions(endpoint));

const logs = new CloudWatchLogsClient(clientOptions(endpoint));

export async function linesOf(logGroupName: string, startTime = 0): Promise<string[]> {
  const lines: string[] = [];
  const paging = { client: logs, stopOnSameToken: true };
  for await (const { events = [] } of paginateFilterLogEvents(paging, { logGroupName, startTime }))
    lines.push(...events.map(({ message = '' }) => message));
  return lines;
}

export async function executionsOf(
  stateMachineArn: string,
  statusFilter?: ExecutionStatus,
): Promise<string[]> {
  const arns: string[] = [];
  const selected = { stateMachineArn, statusFilter };
  for await (const { executions = [] } of paginateListExecutions({ client: states }, selected))
    arns.push(...executions.map(({ executionArn = '' }) => executionArn));
  return arns;
}

/** Names of the log groups of the functions, of the state machines and of the API's access log. */
export async function logGroups(): Promise<string[]> {
  const { logGroups: groups = [] } = await logs.send(new DescribeLogGroupsCommand({}));
  return groups.map(({ logGroupName = '' }) => logGroupName);
}

export const records = composeRecords(
  {
    ATTESTATIONS_TABLE: outputs.AttestationsTable,
    LANES_TABLE: outputs.LanesTable,
    QUEUE_TABLE: outputs.QueueTable,
    ORGANIZATIONS_TABLE: outputs.OrganizationsTable,
    WEBHOOKS_TABLE: outputs.WebhooksTable,
  },
  new DynamoDBClient(clientOptions(endpoint)),
);
