import { setTimeout as pause } from 'node:timers/promises';
import {
  ContinuousBackupsUnavailableException,
  CreateBackupCommand,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DynamoDBClient,
  paginateListTables,
  ResourceInUseException,
  ResourceNotFoundException,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import type { StackOutputs } from '../../../local/stack/deploy-service.ts';
import { assert, waitUntil } from '../conditions.ts';
import type { AwsStack } from '../target.ts';

const tableNames = ['attestations', 'lanes', 'queue', 'organizations', 'webhooks'] as const;
type TableName = (typeof tableNames)[number];

/** Names of a stack's tables, or of their copies. */
type TableNames = Readonly<Record<TableName, string>>;

export const tablesOf = (outputs: StackOutputs): TableNames => ({
  attestations: outputs.AttestationsTable,
  lanes: outputs.LanesTable,
  queue: outputs.QueueTable,
  organizations: outputs.OrganizationsTable,
  webhooks: outputs.WebhooksTable,
});

async function forEachTable(make: (name: TableName) => Promise<string>): Promise<TableNames> {
  const made = await Promise.all(tableNames.map(async (name) => [name, await make(name)] as const));
  return Object.fromEntries(made) as Record<TableName, string>;
}

/** Backs up the tables, because an emulator cannot restore an earlier state. @returns a function that restores them */
export async function backUpTables(stack: AwsStack, tables: TableNames) {
  const dynamo = new DynamoDBClient(stack.aws);
  const backups = await forEachTable(async (name) => {
    const { BackupDetails: backup } = await dynamo.send(
      new CreateBackupCommand({ TableName: tables[name], BackupName: `rehearsal-${name}` }),
    );
    assert(backup?.BackupArn !== undefined, `no backup of ${name}`);
    return backup.BackupArn;
  });
  return () =>
    restoreTables(stack, (name, TargetTableName) =>
      dynamo.send(new RestoreTableFromBackupCommand({ TargetTableName, BackupArn: backups[name] })),
    );
}

/** Notes the time for point-in-time recovery, which lags by five minutes. @returns a function that restores the tables */
export async function noteRestoreTime(stack: AwsStack, tables: TableNames) {
  const dynamo = new DynamoDBClient(stack.aws);
  const RestoreDateTime = new Date();
  // Tables are restored to whole seconds.
  await pause(2_000);
  return () =>
    restoreTables(stack, async (name, TargetTableName) => {
      const { [name]: SourceTableName } = tables;
      await waitUntil(`${SourceTableName} can be restored`, { minutes: 20, everySeconds: 15 }, async () => {
        const { ContinuousBackupsDescription: backups } = await dynamo.send(
          new DescribeContinuousBackupsCommand({ TableName: SourceTableName }),
        );
        const latest = backups?.PointInTimeRecoveryDescription?.LatestRestorableDateTime;
        return latest !== undefined && latest >= RestoreDateTime;
      });
      await dynamo.send(
        new RestoreTableToPointInTimeCommand({ SourceTableName, TargetTableName, RestoreDateTime }),
      );
    });
}

/** Restores tables under new names, and adds settings that a restore omits (docs/operations/backup-and-restore.md). */
async function restoreTables(
  { aws, stackName }: AwsStack,
  restore: (name: TableName, target: string) => Promise<unknown>,
) {
  const client = new DynamoDBClient(aws);
  const waiter = { client, maxWaitTime: 3600, minDelay: 1, maxDelay: 15 };
  const copies = await forEachTable(async (name) => {
    const TableName = `${stackName}-restored-${name}`;
    await restore(name, TableName);
    await waitUntilTableExists(waiter, { TableName });
    await waitUntil(`${TableName} has backups and a time to live`, { minutes: 15, everySeconds: 15 }, () =>
      addOmittedSettings(client, name, TableName),
    );
    return TableName;
  });
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
  const TableName = copies.attestations;
  const { TableDescription: table } = await client.send(
    new UpdateTableCommand({ TableName, StreamSpecification }),
  );
  assert(table?.LatestStreamArn !== undefined, `no stream of ${TableName}`);
  await waitUntilTableExists(waiter, { TableName });
  return { tables: { ...copies, attestationsStream: table.LatestStreamArn } };
}

/** Turns on backups and the time to live. @returns false while a new table does not have backups yet */
async function addOmittedSettings(
  dynamo: DynamoDBClient,
  name: TableName,
  TableName: string,
): Promise<boolean> {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  try {
    await dynamo.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  } catch (error) {
    if (error instanceof ContinuousBackupsUnavailableException) return false;
    throw error;
  }
  if (name === 'queue' || name === 'organizations') return true;
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expiresAt' };
  await dynamo.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  return true;
}

/** Tables of the stack, and those that a restore made. */
export async function tablesNamed({ aws, stackName }: AwsStack): Promise<string[]> {
  const found: string[] = [];
  for await (const { TableNames: names = [] } of paginateListTables({ client: new DynamoDBClient(aws) }, {}))
    found.push(...names.filter((name) => name.startsWith(`${stackName}-`)));
  return found.sort();
}

/** Deletes the tables that a deleted stack left. */
export async function deleteLeftTables(stack: AwsStack): Promise<void> {
  const dynamo = new DynamoDBClient(stack.aws);
  for (const TableName of await tablesNamed(stack))
    await waitUntil(`${TableName} is deleted`, { minutes: 60, everySeconds: 15 }, async () => {
      try {
        await dynamo.send(new DeleteTableCommand({ TableName }));
      } catch (error) {
        if (error instanceof ResourceNotFoundException) return true;
        // It is being created or deleted.
        if (!(error instanceof ResourceInUseException)) throw error;
      }
      return false;
    });
}
