import {
  type AttributeDefinition,
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { Table } from '../../../functions/domain/records.ts';

const string = (AttributeName: string): AttributeDefinition => ({ AttributeName, AttributeType: 'S' });

const keys = (hash: string, range?: string): CreateTableCommandInput['KeySchema'] => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' } as const]),
];

function tableOf(TableName: string): CreateTableCommandInput {
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keys('pk', 'sk'),
    AttributeDefinitions: [string('pk'), string('sk')],
  };
}

const keysOnly = { Projection: { ProjectionType: 'KEYS_ONLY' } } as const;

/** Indexes as in lib/storage/tables.ts. */
const indexes: Partial<CreateTableCommandInput> = {
  AttributeDefinitions: ['pk', 'sk', 'sweep', 'checkAt', 'inFlight'].map(string),
  GlobalSecondaryIndexes: [
    { IndexName: 'due', KeySchema: keys('sweep', 'checkAt'), ...keysOnly },
    { IndexName: 'inFlight', KeySchema: keys('inFlight'), ...keysOnly },
  ],
};

/** Creates the service's tables, empty. */
export async function createTables(dynamo: DynamoDBClient, prefix: string): Promise<Record<Table, string>> {
  const attestations = `${prefix}-attestations`;
  const lanes = `${prefix}-lanes`;
  const queue = `${prefix}-queue`;
  const organizations = `${prefix}-organizations`;
  const webhooks = `${prefix}-webhooks`;
  const plain = [lanes, queue, organizations, webhooks].map(tableOf);
  const wanted = [{ ...tableOf(attestations), ...indexes }, ...plain];
  await Promise.all(wanted.map((table) => dynamo.send(new CreateTableCommand(table))));
  return { attestations, lanes, queue, organizations, webhooks };
}

export async function deleteTables(dynamo: DynamoDBClient, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((TableName) => dynamo.send(new DeleteTableCommand({ TableName }))));
}
