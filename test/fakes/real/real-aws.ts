import { randomUUID } from 'node:crypto';
import {
  type AttributeDefinition,
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { kmsSigner } from '../../../functions/adapters/aws/kms-signer.ts';
import { composeRecords } from '../../../functions/adapters/compose-records.ts';
import type { Fields, Stored, Table } from '../../../functions/domain/records.ts';
import type { Signer } from '../../../functions/domain/services.ts';
import { type AwsEndpoint, clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { AwsFaults } from '../aws/aws-faults.ts';
import { immediateRetries } from '../aws/aws-retries.ts';
import type { Processes } from '../ports/processes.ts';

/** The SDK's own default for DynamoDB. */
const maxAttempts = 4;

/** Makes the store and the keys of one world, on its own emulator or on those that the test run shares. */
export async function startAws(processes: Processes, emulator?: AwsEndpoint) {
  const optionsOf = (endpoint: AwsEndpoint) => ({
    ...clientOptions(endpoint),
    retryStrategy: immediateRetries(maxAttempts),
  });
  const storeOptions = optionsOf(emulator ?? inject('dynamoDb'));
  const keyOptions = optionsOf(emulator ?? inject('emulator'));
  const faults = new AwsFaults(processes);
  const [dynamo, kms] = [new DynamoDBClient(storeOptions), new KMSClient(keyOptions)];
  for (const client of [dynamo, kms]) faults.intercept(client);
  const [faultlessDynamo, faultlessKms] = [new DynamoDBClient(storeOptions), new KMSClient(keyOptions)];
  const tables = await createTables(faultlessDynamo, `faults-${randomUUID()}`);
  const documents = DynamoDBDocumentClient.from(faultlessDynamo);
  const all = async () =>
    (await Promise.all(tableNames.map((table) => scan(documents, table, tables)))).flat();
  return {
    faults,
    /** The store that the service uses, with faults. */
    records: composeRecords(variablesOf(tables), dynamo),
    /** The same store without faults; `all` returns all records. */
    observed: Object.assign(composeRecords(variablesOf(tables), faultlessDynamo), { all }),
    newSigner: async (): Promise<{ keyId: string; signer: Signer }> => {
      const created = await faultlessKms.send(
        new CreateKeyCommand({ KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' }),
      );
      const keyId = created.KeyMetadata?.KeyId ?? '';
      return { keyId, signer: await kmsSigner(kms, keyId) };
    },
    stop: async () => {
      await deleteTables(faultlessDynamo, Object.values(tables));
      for (const client of [dynamo, kms, faultlessDynamo, faultlessKms]) client.destroy();
    },
  };
}

type TableNames = Readonly<Record<Table, string>>;

export type RealAws = Awaited<ReturnType<typeof startAws>>;

const tableNames: readonly Table[] = ['attestations', 'lanes', 'queue', 'organizations', 'webhooks'];

function variablesOf(tables: TableNames): Record<string, string> {
  return Object.fromEntries(tableNames.map((table) => [`${table.toUpperCase()}_TABLE`, tables[table]]));
}

async function scan(client: DynamoDBDocumentClient, table: Table, names: TableNames): Promise<Stored[]> {
  const stored: Stored[] = [];
  for await (const { Items = [] } of paginateScan(
    { client },
    { TableName: names[table], ConsistentRead: true },
  ))
    for (const { pk, sk, ...fields } of Items as Fields[])
      stored.push({ key: { table, pk: String(pk), sk: String(sk) }, fields });
  return stored;
}

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

export async function createTables(dynamo: DynamoDBClient, prefix: string): Promise<TableNames> {
  const names = Object.fromEntries(tableNames.map((table) => [table, `${prefix}-${table}`])) as TableNames;
  const definitions = [
    { ...tableOf(names.attestations), ...indexes },
    ...tableNames.slice(1).map((table) => tableOf(names[table])),
  ];
  await Promise.all(definitions.map((table) => dynamo.send(new CreateTableCommand(table))));
  return names;
}

export async function deleteTables(dynamo: DynamoDBClient, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((TableName) => dynamo.send(new DeleteTableCommand({ TableName }))));
}
