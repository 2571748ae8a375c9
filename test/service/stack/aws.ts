import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SFNClient } from '@aws-sdk/client-sfn';
import { composeRecords } from '../../../functions/adapters/compose-records.ts';
import { awsEndpoint, clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { stack } from './running-stack.ts';
import { signedFetch } from './signed-fetch.ts';

const { outputs } = stack;

export const endpoint = awsEndpoint(stack.endpointUrl, { AWS_REGION: stack.region });

export const states = new SFNClient(clientOptions(endpoint));

/** The store of the running stack, as the functions have it. */
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

/** One call of CloudWatch Logs, which has no client among the packages. */
export async function logsCall(operation: string, input: object): Promise<Record<string, unknown>> {
  const response = await signedFetch(endpoint, {
    service: 'logs',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `Logs_20140328.${operation}` },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`${operation}: ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
}
