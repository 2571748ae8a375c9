import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { awsTimeouts } from './aws/client.ts';
import { DynamoRecords } from './dynamodb/dynamodb-records.ts';

/** Composes the store. The stack passes only the names of the tables that the Lambda function uses. */
export function composeRecords(
  variables: Readonly<Record<string, string | undefined>>,
  client = new DynamoDBClient(awsTimeouts),
): DynamoRecords {
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  return new DynamoRecords(documents, {
    attestations: variables.ATTESTATIONS_TABLE ?? '',
    lanes: variables.LANES_TABLE ?? '',
    queue: variables.QUEUE_TABLE ?? '',
    organizations: variables.ORGANIZATIONS_TABLE ?? '',
    webhooks: variables.WEBHOOKS_TABLE ?? '',
  });
}
