import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { kmsSigner } from '../../../functions/adapters/aws/kms-signer.ts';
import { composeRecords } from '../../../functions/adapters/compose-records.ts';
import type { Fields, Stored, Table } from '../../../functions/domain/records.ts';
import type { Signer } from '../../../functions/domain/services.ts';
import { type AwsEndpoint, clientOptions } from '../../../local/emulator/aws-endpoint.ts';
import { AwsFaults } from '../aws/aws-faults.ts';
import { promptRetries } from '../aws/aws-retries.ts';
import type { Processes } from '../ports/processes.ts';
import { createTables, deleteTables } from './real-tables.ts';

/** The SDK's own default for DynamoDB. */
const maxAttempts = 4;

/** Makes the store and the keys of one world, on an emulator or where the test run shares them. */
export async function startAws(processes: Processes, emulator?: AwsEndpoint) {
  const optionsOf = (endpoint: AwsEndpoint) => ({
    ...clientOptions(endpoint),
    retryStrategy: promptRetries(maxAttempts),
  });
  const ofStore = optionsOf(emulator ?? inject('dynamoDb'));
  const ofKeys = optionsOf(emulator ?? inject('emulator'));
  const faults = new AwsFaults(processes);
  const [dynamo, kms] = [new DynamoDBClient(ofStore), new KMSClient(ofKeys)];
  for (const client of [dynamo, kms]) faults.watch(client);
  const [quietDynamo, quietKms] = [new DynamoDBClient(ofStore), new KMSClient(ofKeys)];
  const tables = await createTables(quietDynamo, `faults-${randomUUID()}`);
  const documents = DynamoDBDocumentClient.from(quietDynamo);
  const all = async () =>
    (await Promise.all(tableNames.map((table) => scan(documents, table, tables)))).flat();
  return {
    faults,
    /** The store as the service has it. */
    records: composeRecords(variablesOf(tables), dynamo),
    /** The store without faults; `all` is everything stored. */
    observed: Object.assign(composeRecords(variablesOf(tables), quietDynamo), { all }),
    /** Makes a signer with a new key of KMS. */
    newSigner: async (): Promise<{ keyId: string; signer: Signer }> => {
      const created = await quietKms.send(
        new CreateKeyCommand({ KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' }),
      );
      const keyId = created.KeyMetadata?.KeyId ?? '';
      return { keyId, signer: await kmsSigner(kms, keyId) };
    },
    stop: async () => {
      await deleteTables(quietDynamo, Object.values(tables));
      for (const client of [dynamo, kms, quietDynamo, quietKms]) client.destroy();
    },
  };
}

type TableNames = Readonly<Record<Table, string>>;

export type RealAws = Awaited<ReturnType<typeof startAws>>;

const tableNames: readonly Table[] = ['attestations', 'lanes', 'queue', 'organizations', 'webhooks'];

function variablesOf(tables: TableNames) {
  return {
    ATTESTATIONS_TABLE: tables.attestations,
    LANES_TABLE: tables.lanes,
    QUEUE_TABLE: tables.queue,
    ORGANIZATIONS_TABLE: tables.organizations,
    WEBHOOKS_TABLE: tables.webhooks,
  };
}

async function scan(documents: DynamoDBDocumentClient, table: Table, names: TableNames): Promise<Stored[]> {
  const items: Record<string, unknown>[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await documents.send(
      new ScanCommand({ TableName: names[table], ConsistentRead: true, ExclusiveStartKey: start }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items.map(({ pk, sk, ...fields }) => ({
    key: { table, pk: String(pk), sk: String(sk) },
    fields: fields as Fields,
  }));
}
