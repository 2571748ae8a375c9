import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { TableView } from './account.ts';

/** Reads the state of a table, and the settings that a restored table does not have. */
export async function tableView(dynamo: DynamoDBClient, name: string): Promise<TableView> {
  const [{ Table: table }, { ContinuousBackupsDescription: backups }, { TimeToLiveDescription: expiry }] =
    await Promise.all([
      dynamo.send(new DescribeTableCommand({ TableName: name })),
      dynamo.send(new DescribeContinuousBackupsCommand({ TableName: name })),
      dynamo.send(new DescribeTimeToLiveCommand({ TableName: name })),
    ]);
  const indexes = (table?.GlobalSecondaryIndexes ?? []).map(
    // Emulators leave the status out.
    ({ IndexName: index = '', IndexStatus: status = 'ACTIVE' }) => [index, status] as const,
  );
  const expires = expiry?.TimeToLiveStatus === 'ENABLED' || expiry?.TimeToLiveStatus === 'ENABLING';
  return {
    status: table?.TableStatus ?? 'unknown',
    indexes: Object.fromEntries(indexes),
    hasPointInTimeRecovery: backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED',
    isProtected: table?.DeletionProtectionEnabled ?? false,
    hasStream: table?.StreamSpecification?.StreamViewType === 'NEW_AND_OLD_IMAGES',
    timeToLiveAttribute: expires ? expiry?.AttributeName : undefined,
  };
}
