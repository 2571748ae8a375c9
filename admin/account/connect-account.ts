import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import {
  paginateListRequestedServiceQuotaChangeHistoryByQuota,
  paginateListServiceQuotas,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { DescribeStateMachineAliasCommand, ListExecutionsCommand, SFNClient } from '@aws-sdk/client-sfn';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { clientConfiguration, connect } from '../deployment/connect.ts';
import { findProviders } from '../deployment/connect-chain.ts';
import { findStack } from '../deployment/stack-outputs.ts';
import type { Target } from '../deployment/target.ts';
import { stackRemoval } from './stack-removal.ts';

/** Timeouts of one attempt, in milliseconds. The SDK makes three attempts. */
const timeouts = {
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 20_000, throwOnRequestTimeout: true },
};

/** SSM parameter of CDK's bootstrap stack with the usual qualifier. */
const bootstrapParameter = '/cdk-bootstrap/hnb659fds/version';

/**
 * Access to an AWS account, before or after a deployment; read-only except `removal` and `deployment`. Every function
 * throws AWS's errors.
 */
export type Account = ReturnType<typeof connectAccount>;

export function connectAccount(target: Target) {
  const configuration = { ...clientConfiguration(target), ...timeouts };
  const cloudFormation = new CloudFormationClient(configuration);
  const [ssm, kms] = [new SSMClient(configuration), new KMSClient(configuration)];
  const { stackName } = target;
  return {
    ...{ target, stackName },
    /** ARN of the caller. */
    identity: async () => {
      const caller = await new STSClient(configuration).send(new GetCallerIdentityCommand({}));
      return caller.Arn ?? 'unknown';
    },
    region: () => cloudFormation.config.region(),
    /** The stack; `undefined` before the first deployment. */
    stack: () => findStack(cloudFormation, stackName),
    alarms: () => readAlarms(new CloudWatchClient(configuration), stackName),
    /** Physical names of the stack's log groups by logical id. */
    logGroups: () => readLogGroups(cloudFormation, stackName),
    bootstrapVersion: async () => (await readParameter(ssm, bootstrapParameter))?.Value,
    parameterType: async (name: string): Promise<string | undefined> =>
      (await readParameter(ssm, name))?.Type,
    /** Stored RPC URLs of a chain, which are secrets. @throws RpcUrlsMissingError */
    providers: (path: string, chainId: number) => findProviders(target, chainId, { ssm, path }),
    /** ARN of the role with which API Gateway writes logs, if any. */
    loggingRole: async () => {
      const account = await new APIGatewayClient(configuration).send(new GetAccountCommand({}));
      return account.cloudwatchRoleArn || undefined;
    },
    concurrentExecutions: async () => {
      const lambda = new LambdaClient(configuration);
      const { AccountLimit: limit } = await lambda.send(new GetAccountSettingsCommand({}));
      return limit?.ConcurrentExecutions ?? 0;
    },
    quotas: (serviceCode: string) => readQuotas(new ServiceQuotasClient(configuration), serviceCode),
    /** Whether AWS still works on a request to raise the quota. */
    hasQuotaRequest: (service: string, code: string) =>
      hasQuotaRequest(new ServiceQuotasClient(configuration), service, code),
    subscriptions: (topicArn: string) => readSubscriptions(new SNSClient(configuration), topicArn),
    table: (name: string) => describeTable(new DynamoDBClient(configuration), name),
    /** State of a KMS key, such as `Enabled` or `PendingDeletion`. */
    keyState: async (keyId: string): Promise<string> => {
      const { KeyMetadata: metadata } = await kms.send(new DescribeKeyCommand({ KeyId: keyId }));
      return metadata?.KeyState ?? 'unknown';
    },
    /** Time of the newest log line with that message since a time; `undefined` without one. */
    lastLine: (group: string, message: string, since: Date) =>
      lastLogLine(new CloudWatchLogsClient(configuration), group, message, since),
    runningExecutions: (aliasArn: string) => runningExecutions(new SFNClient(configuration), aliasArn),
    deployment: () => connect(target),
    removal: stackRemoval(stackName, { cloudFormation, ssm, kms }),
  };
}

async function readLogGroups(client: CloudFormationClient, StackName: string) {
  const groups = new Map<string, string>();
  for await (const { StackResourceSummaries: resources = [] } of paginateListStackResources(
    { client },
    { StackName },
  ))
    for (const { ResourceType: type, LogicalResourceId: id, PhysicalResourceId: name } of resources)
      if (type === 'AWS::Logs::LogGroup' && id && name) groups.set(id, name);
  return groups;
}

/** Reads the stack's alarms that are up. CloudFormation makes their names from the ids of lib/watch/alarms.ts. */
async function readAlarms(client: CloudWatchClient, stackName: string) {
  const AlarmNamePrefix = `${stackName}-Alarms`;
  const found: { name: string; since: Date | undefined; runbook: string }[] = [];
  const pages = paginateDescribeAlarms({ client }, { AlarmNamePrefix, StateValue: 'ALARM' });
  for await (const { MetricAlarms: alarms = [] } of pages)
    for (const {
      AlarmName: fullName = '',
      StateUpdatedTimestamp: since,
      AlarmDescription: text = '',
    } of alarms) {
      const [, name = fullName] = /-Alarms(\w+)[0-9A-F]{8}-/.exec(fullName) ?? [];
      found.push({ name, since, runbook: /docs\/runbook\.md#\w+$/.exec(text)?.[0] ?? 'docs/runbook.md' });
    }
  return found;
}

async function readParameter(ssm: SSMClient, name: string) {
  try {
    return (await ssm.send(new GetParameterCommand({ Name: name }))).Parameter;
  } catch (error) {
    if (error instanceof Error && error.name === 'ParameterNotFound') return undefined;
    throw error;
  }
}

async function readQuotas(client: ServiceQuotasClient, ServiceCode: string) {
  const found: { name: string; code: string; value: number }[] = [];
  for await (const { Quotas: quotas = [] } of paginateListServiceQuotas({ client }, { ServiceCode }))
    for (const { QuotaName: name, QuotaCode: code, Value: value } of quotas)
      if (name && code && value !== undefined) found.push({ name, code, value });
  return found;
}

const openStates: readonly (string | undefined)[] = ['PENDING', 'CASE_OPENED', 'APPROVED'];

async function hasQuotaRequest(client: ServiceQuotasClient, ServiceCode: string, QuotaCode: string) {
  const pages = paginateListRequestedServiceQuotaChangeHistoryByQuota({ client }, { ServiceCode, QuotaCode });
  for await (const { RequestedQuotas: requests = [] } of pages)
    if (requests.some(({ Status: status }) => openStates.includes(status))) return true;
  return false;
}

const unconfirmed = 'PendingConfirmation';

/** Protocols of a topic's confirmed subscriptions, and the number of unconfirmed ones. */
async function readSubscriptions(client: SNSClient, TopicArn: string) {
  const confirmed: string[] = [];
  let pending = 0;
  for await (const { Subscriptions: page = [] } of paginateListSubscriptionsByTopic({ client }, { TopicArn }))
    for (const { Protocol: protocol = 'unknown', SubscriptionArn: arn = unconfirmed } of page)
      if (arn === unconfirmed) pending += 1;
      else if (arn !== 'Deleted') confirmed.push(protocol);
  return { confirmed, pending };
}

/** Reads all pages, which start with the oldest line and may be empty. */
async function lastLogLine(
  client: CloudWatchLogsClient,
  logGroupName: string,
  message: string,
  since: Date,
): Promise<Date | undefined> {
  const startTime = since.getTime();
  const filterPattern = `{ $.message = ${JSON.stringify(message)} }`;
  let last = 0;
  // Emulators ignore the filter.
  for await (const page of paginateFilterLogEvents({ client }, { logGroupName, filterPattern, startTime }))
    for (const event of page.events ?? [])
      if (event.message?.includes(`"message":${JSON.stringify(message)}`))
        last = Math.max(last, event.timestamp ?? 0);
  return last === 0 ? undefined : new Date(last);
}

const versionOf = (arn: string | undefined): string => arn?.split(':').at(-1) ?? 'none';

/** Counts the newest 1,000 running executions of a state machine by version. */
async function runningExecutions(states: SFNClient, aliasArn: string) {
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

/** Reads the state of a table, and the settings that a restored table does not have. */
async function describeTable(dynamo: DynamoDBClient, name: string) {
  const input = { TableName: name };
  const [{ Table: table }, { ContinuousBackupsDescription: backups }, { TimeToLiveDescription: expiry }] =
    await Promise.all([
      dynamo.send(new DescribeTableCommand(input)),
      dynamo.send(new DescribeContinuousBackupsCommand(input)),
      dynamo.send(new DescribeTimeToLiveCommand(input)),
    ]);
  const indexes = (table?.GlobalSecondaryIndexes ?? []).map(
    // Emulators omit the status.
    ({ IndexName: index = '', IndexStatus: status = 'ACTIVE' }) => [index, status] as const,
  );
  const hasExpiry = expiry?.TimeToLiveStatus === 'ENABLED' || expiry?.TimeToLiveStatus === 'ENABLING';
  return {
    status: table?.TableStatus ?? 'unknown',
    indexes: Object.fromEntries(indexes) as Readonly<Record<string, string>>,
    hasPointInTimeRecovery: backups?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED',
    isProtected: table?.DeletionProtectionEnabled ?? false,
    /** Whether it has a stream with old and new images. */
    hasStream: table?.StreamSpecification?.StreamViewType === 'NEW_AND_OLD_IMAGES',
    /** Attribute with the expiry of items, if any. */
    timeToLiveAttribute: hasExpiry ? expiry?.AttributeName : undefined,
  };
}
