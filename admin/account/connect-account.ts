import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { paginateListServiceQuotas, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { SFNClient } from '@aws-sdk/client-sfn';
import { paginateListSubscriptionsByTopic, SNSClient } from '@aws-sdk/client-sns';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { clientConfiguration, connect } from '../deployment/connect.ts';
import { findProviders } from '../deployment/connect-chain.ts';
import { findStack } from '../deployment/stack-outputs.ts';
import type { Target } from '../deployment/target.ts';
import { lastLogLine, runningExecutions, tableView } from './views.ts';

/** Time-outs of one attempt, in milliseconds; the SDK makes three. A person waits, and an emulator may be slow. */
const timeouts = {
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 20_000, throwOnRequestTimeout: true },
};

/** SSM parameter of CDK's bootstrap stack with the usual qualifier. */
const bootstrapParameter = '/cdk-bootstrap/hnb659fds/version';

/** An AWS account with the stack of a deployment, or without it yet. It is only read; every function throws AWS's errors. */
export type Account = ReturnType<typeof connectAccount>;

/** Connects to the account of a deployment. Nothing is asked before a function is called. */
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
    /** Physical names of the stack's log groups by logical id. */
    logGroups: () => readLogGroups(cloudFormation, stackName),
    bootstrapVersion: async () => (await readParameter(ssm, bootstrapParameter))?.Value,
    parameterType: async (name: string): Promise<string | undefined> =>
      (await readParameter(ssm, name))?.Type,
    /** RPC URLs of a chain, which are secrets. @throws RpcUrlsMissingError */
    rpcUrls: async (path: string, chainId: number): Promise<readonly string[]> =>
      (await findProviders(target, chainId, { ssm, path })).urls,
    /** ARN of the role with which API Gateway writes logs; `undefined` without one. */
    loggingRole: async () => {
      const account = await new APIGatewayClient(configuration).send(new GetAccountCommand({}));
      return account.cloudwatchRoleArn || undefined;
    },
    /** Number of functions that may run at once. */
    concurrentExecutions: async () => {
      const lambda = new LambdaClient(configuration);
      const { AccountLimit: limit } = await lambda.send(new GetAccountSettingsCommand({}));
      return limit?.ConcurrentExecutions ?? 0;
    },
    quotas: (serviceCode: string) => readQuotas(new ServiceQuotasClient(configuration), serviceCode),
    subscriptions: (topicArn: string) => readSubscriptions(new SNSClient(configuration), topicArn),
    table: (name: string) => tableView(new DynamoDBClient(configuration), name),
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

async function readParameter(ssm: SSMClient, name: string) {
  try {
    return (await ssm.send(new GetParameterCommand({ Name: name }))).Parameter;
  } catch (error) {
    if (error instanceof Error && error.name === 'ParameterNotFound') return undefined;
    throw error;
  }
}

/** A quota of the account, as Service Quotas shows it. */
export interface Quota {
  readonly name: string;
  readonly code: string;
  readonly value: number;
}

async function readQuotas(client: ServiceQuotasClient, ServiceCode: string): Promise<Quota[]> {
  const read: Quota[] = [];
  for await (const { Quotas: quotas = [] } of paginateListServiceQuotas({ client }, { ServiceCode }))
    for (const { QuotaName: name, QuotaCode: code, Value: value } of quotas)
      if (name && code && value !== undefined) read.push({ name, code, value });
  return read;
}

/** What SNS shows in place of the ARN of a subscription that nobody has confirmed. */
const unconfirmed = 'PendingConfirmation';

/** Protocols of the confirmed subscriptions of a topic, and the number of those that wait to be confirmed. */
async function readSubscriptions(client: SNSClient, TopicArn: string) {
  const confirmed: string[] = [];
  let pending = 0;
  for await (const { Subscriptions: some = [] } of paginateListSubscriptionsByTopic({ client }, { TopicArn }))
    for (const { Protocol: protocol = 'unknown', SubscriptionArn: arn = unconfirmed } of some)
      if (arn === unconfirmed) pending += 1;
      else if (arn !== 'Deleted') confirmed.push(protocol);
  return { confirmed, pending };
}
