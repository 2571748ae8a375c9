import { type CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { DescribeStateMachineAliasCommand, ListExecutionsCommand, type SFNClient } from '@aws-sdk/client-sfn';

/** Time of the newest line with that message since a time, oldest line first and of pages that may be empty; `undefined` without one. */
export async function lastLogLine(
  client: CloudWatchLogsClient,
  logGroupName: string,
  message: string,
  since: Date,
): Promise<Date | undefined> {
  const startTime = since.getTime();
  const filterPattern = `{ $.message = ${JSON.stringify(message)} }`;
  let last = 0;
  // Emulators answer every line.
  for await (const page of paginateFilterLogEvents({ client }, { logGroupName, filterPattern, startTime }))
    for (const event of page.events ?? [])
      if (event.message?.includes(`"message":${JSON.stringify(message)}`))
        last = Math.max(last, event.timestamp ?? 0);
  return last === 0 ? undefined : new Date(last);
}

/** Number of the version at the end of its ARN. */
const versionOf = (arn: string | undefined): string => arn?.split(':').at(-1) ?? 'none';

/** Reads which versions of a state machine run, by the machine's alias; of at most 1,000 executions, the newest. */
export async function runningExecutions(states: SFNClient, aliasArn: string) {
  const stateMachineArn = aliasArn.split(':').slice(0, -1).join(':');
  const [{ routingConfiguration }, { executions }] = await Promise.all([
    states.send(new DescribeStateMachineAliasCommand({ stateMachineAliasArn: aliasArn })),
    states.send(new ListExecutionsCommand({ stateMachineArn, statusFilter: 'RUNNING', maxResults: 1_000 })),
  ]);
  const countByVersion = new Map<string, number>();
  for (const { stateMachineVersionArn } of executions ?? []) {
    const version = versionOf(stateMachineVersionArn);
    countByVersion.set(version, (countByVersion.get(version) ?? 0) + 1);
  }
  return { currentVersion: versionOf(routingConfiguration?.at(-1)?.stateMachineVersionArn), countByVersion };
}

export interface TableView {
  readonly status: string;
  /** States of its indexes by name. */
  readonly indexes: Readonly<Record<string, string>>;
  readonly hasPointInTimeRecovery: boolean;
  /** Whether it refuses to be deleted. */
  readonly isProtected: boolean;
  /** Whether it has a stream of its writes, with images of before and after. */
  readonly hasStream: boolean;
  /** Attribute by which items expire; `undefined` where none does. */
  readonly timeToLiveAttribute: string | undefined;
}

/** Reads the state of a table, and the settings that a restored table does not have. */
export async function tableView(dynamo: DynamoDBClient, name: string): Promise<TableView> {
  const of = { TableName: name };
  const [{ Table: table }, { ContinuousBackupsDescription: backups }, { TimeToLiveDescription: expiry }] =
    await Promise.all([
      dynamo.send(new DescribeTableCommand(of)),
      dynamo.send(new DescribeContinuousBackupsCommand(of)),
      dynamo.send(new DescribeTimeToLiveCommand(of)),
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
