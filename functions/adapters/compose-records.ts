import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Settings } from '../domain/settings.ts';
import type { QueueServices } from '../domain/webhooks/queue-events.ts';
import { awsTimeouts } from './aws/client.ts';
import { functionLog } from './aws/cloudwatch-log.ts';
import { DynamoRecords } from './dynamodb/dynamodb-records.ts';
import { readEnvironment, settingsFromEnvironment } from './environment.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Composes the store on the tables that this function was given; it has no name for those it may not touch. */
export function composeRecords(
  variables: Variables,
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

/** Composes what functions of webhooks work with: the store and a log, no chain and no key. */
export function composeWebhooks(variables: Variables): QueueServices & { readonly settings: Settings } {
  return {
    records: composeRecords(variables),
    log: functionLog(),
    now: () => new Date(),
    settings: settingsFromEnvironment(readEnvironment(variables, ['SETTINGS'])),
  };
}
