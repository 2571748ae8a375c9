import {
  CreateBackupCommand,
  DynamoDBClient,
  RestoreTableFromBackupCommand,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { type AwsEndpoint, clientOptions } from '../../local/emulator/aws-endpoint.ts';
import type { StackOutputs } from '../../local/stack/deploy-service.ts';

const outputNames = {
  attestations: 'AttestationsTable',
  lanes: 'LanesTable',
  queue: 'QueueTable',
  organizations: 'OrganizationsTable',
  webhooks: 'WebhooksTable',
} as const;

type TableName = keyof typeof outputNames;

/** Names of a stack's tables, or of their copies. */
export type TableNames = Readonly<Record<TableName, string>>;

/** Copies that are complete, as `existing.tables` of the settings takes them. */
export type RestoredTables = TableNames & { readonly attestationsStream: string };

async function ofEach(make: (name: TableName) => Promise<string>): Promise<TableNames> {
  const names = Object.keys(outputNames) as TableName[];
  const made = await Promise.all(names.map(async (name) => [name, await make(name)] as const));
  return Object.fromEntries(made) as Record<TableName, string>;
}

/**
 * Backs the tables up, and thereby makes the point that is restored to: the emulator's point-in-time recovery copies the
 * present.
 */
export function backUpTables(endpoint: AwsEndpoint, outputs: StackOutputs): Promise<TableNames> {
  const dynamo = new DynamoDBClient(clientOptions(endpoint));
  return ofEach(async (name) => {
    const { BackupDetails: backup } = await dynamo.send(
      new CreateBackupCommand({ TableName: outputs[outputNames[name]], BackupName: `rehearsal-${name}` }),
    );
    if (!backup?.BackupArn) throw new Error(`no backup of ${name}`);
    return backup.BackupArn;
  });
}

/** Restores the backups into new tables, as point-in-time recovery does. */
export async function restoreTables(endpoint: AwsEndpoint, backups: TableNames): Promise<RestoredTables> {
  const dynamo = new DynamoDBClient(clientOptions(endpoint));
  const tables = await ofEach(async (name) => {
    const TargetTableName = `restored-${name}`;
    await dynamo.send(new RestoreTableFromBackupCommand({ TargetTableName, BackupArn: backups[name] }));
    return TargetTableName;
  });
  return { ...tables, attestationsStream: await addStream(dynamo, tables.attestations) };
}

/** Gives a copy of the attestations the stream by which webhooks are told. @returns its ARN */
export async function addStream(dynamo: DynamoDBClient, TableName: string): Promise<string> {
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
  const { TableDescription: table } = await dynamo.send(
    new UpdateTableCommand({ TableName, StreamSpecification }),
  );
  if (!table?.LatestStreamArn) throw new Error(`no stream of ${TableName}`);
  return table.LatestStreamArn;
}
