import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { type AwsEndpoint, clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import type { StackOutputs } from '../../../local/stack/deploy-service.ts';

/** Creates empty tables for the bench, with the keys and indexes of the deployed ones. */
export async function createIdleTables(endpoint: AwsEndpoint, outputs: StackOutputs, prefix: string) {
  const client = new DynamoDBClient(clientOptions(endpoint));
  const like = async (deployed: string): Promise<string> => {
    const name = `${prefix}-${deployed}`.slice(0, 255);
    const { Table: table } = await client.send(new DescribeTableCommand({ TableName: deployed }));
    const indexes = table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
      ...{ IndexName, KeySchema, Projection },
    }));
    const definition = {
      TableName: name,
      KeySchema: table?.KeySchema,
      AttributeDefinitions: table?.AttributeDefinitions,
      BillingMode: 'PAY_PER_REQUEST',
      ...(indexes?.length ? { GlobalSecondaryIndexes: indexes } : {}),
    };
    await client.send(new CreateTableCommand(definition as CreateTableCommandInput));
    return name;
  };
  const [attestations, lanes, queue, organizations, webhooks] = await Promise.all([
    like(outputs.AttestationsTable),
    like(outputs.LanesTable),
    like(outputs.QueueTable),
    like(outputs.OrganizationsTable),
    like(outputs.WebhooksTable),
  ]);
  client.destroy();
  return {
    ATTESTATIONS_TABLE: attestations,
    LANES_TABLE: lanes,
    QUEUE_TABLE: queue,
    ORGANIZATIONS_TABLE: organizations,
    WEBHOOKS_TABLE: webhooks,
  };
}
