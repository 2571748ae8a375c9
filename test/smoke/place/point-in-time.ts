import {
  ContinuousBackupsUnavailableException,
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  paginateListTables,
  ResourceInUseException,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { addStream, type RestoredTables, type TableNames } from '../../restore/restore-tables.ts';
import { until } from '../demand.ts';
import type { AwsConfiguration, Place } from './place.ts';

/**
 * Restores tables to a moment, under new names, by point-in-time recovery: it reaches the last five minutes only later, and a
 * restore takes some ten minutes, however small the table.
 */
export async function restoreToMoment(
  { aws, stackName }: Pick<Place, 'aws' | 'stackName'>,
  tables: TableNames,
  moment: Date,
): Promise<RestoredTables> {
  const dynamo = new DynamoDBClient(aws);
  const restored = await Promise.all(
    (Object.keys(tables) as (keyof TableNames)[]).map(async (name) => {
      const source = tables[name];
      await until(`${source} can be restored`, { minutes: 20, everySeconds: 15 }, async () =>
        isReached(moment, await latestRestorable(dynamo, source)),
      );
      const target = `${stackName}-restored-${name}`;
      await dynamo.send(
        new RestoreTableToPointInTimeCommand({
          SourceTableName: source,
          TargetTableName: target,
          RestoreDateTime: moment,
        }),
      );
      await until(`${target} is there`, { minutes: 60, everySeconds: 15 }, () => isActive(dynamo, target));
      await until(`${target} has backups and a time to live`, { minutes: 15, everySeconds: 15 }, () =>
        unlessTooEarly(() => completeCopy(dynamo, name, target)),
      );
      return [name, target] as const;
    }),
  );
  const copies = Object.fromEntries(restored) as Record<keyof TableNames, string>;
  const attestationsStream = await addStream(dynamo, copies.attestations);
  await until(`${copies.attestations} has a stream`, { minutes: 15, everySeconds: 5 }, () =>
    isActive(dynamo, copies.attestations),
  );
  return { ...copies, attestationsStream };
}

const isActive = (dynamo: DynamoDBClient, TableName: string) =>
  unlessTooEarly(async () => {
    const { Table: table } = await dynamo.send(new DescribeTableCommand({ TableName }));
    return table?.TableStatus === 'ACTIVE';
  });

/** Gives a copy what a restore leaves out: docs/runbook.md, "Restoring", step 3. */
async function completeCopy(
  dynamo: DynamoDBClient,
  name: keyof TableNames,
  TableName: string,
): Promise<boolean> {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await dynamo.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  if (name === 'queue' || name === 'organizations') return true;
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'expiresAt' };
  await dynamo.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  return true;
}

/** Answers of DynamoDB are eventually consistent: a table whose restore was begun is not known yet, one just made has no backups yet. */
export async function unlessTooEarly(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return false;
    if (error instanceof ContinuousBackupsUnavailableException) return false;
    throw error;
  }
}

/** Whether a table can be restored to the moment yet, by the latest to which it can. */
export const isReached = (moment: Date, latest: Date | undefined): boolean =>
  latest !== undefined && latest.getTime() >= moment.getTime();

async function latestRestorable(dynamo: DynamoDBClient, table: string): Promise<Date | undefined> {
  const { ContinuousBackupsDescription: backups } = await dynamo.send(
    new DescribeContinuousBackupsCommand({ TableName: table }),
  );
  return backups?.PointInTimeRecoveryDescription?.LatestRestorableDateTime;
}

/** Tables of the stack that a restore made. */
export async function leftTables(aws: AwsConfiguration, stackName: string): Promise<string[]> {
  const left: string[] = [];
  for await (const { TableNames: names = [] } of paginateListTables({ client: new DynamoDBClient(aws) }, {}))
    left.push(...names.filter((name) => name.startsWith(`${stackName}-restored-`)));
  return left;
}

export async function deleteTables(aws: AwsConfiguration, tables: readonly string[]): Promise<void> {
  const dynamo = new DynamoDBClient(aws);
  for (const TableName of tables)
    await until(`${TableName} is gone`, { minutes: 60, everySeconds: 15 }, () =>
      isGone(() => dynamo.send(new DeleteTableCommand({ TableName }))),
    );
}

/** Deletes a table. @returns whether it is gone: one that is being made, or deleted, is refused as in use */
export async function isGone(deleteTable: () => Promise<unknown>): Promise<boolean> {
  try {
    await deleteTable();
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return true;
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  return false;
}
