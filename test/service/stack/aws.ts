import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SFNClient } from '@aws-sdk/client-sfn';
import { composeRecords } from '../../../functions/adapters/compose-records.ts';
import { stack } from './running-stack.ts';

const { region, endpointUrl: endpoint, outputs } = stack;
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

export const states = new SFNClient({ region, endpoint, credentials });

/** The store of the running stack, as the functions have it. */
export const records = composeRecords(
  {
    ATTESTATIONS_TABLE: outputs.AttestationsTable,
    LANES_TABLE: outputs.LanesTable,
    QUEUE_TABLE: outputs.QueueTable,
    ORGANIZATIONS_TABLE: outputs.OrganizationsTable,
  },
  new DynamoDBClient({ region, endpoint, credentials }),
);

/** One call of CloudWatch Logs, which has no client among the packages. */
export async function logsCall(operation: string, input: object): Promise<Record<string, unknown>> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `Logs_20140328.${operation}`,
      authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/logs/aws4_request`,
    },
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`${operation}: ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
}
