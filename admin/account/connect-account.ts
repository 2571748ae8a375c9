import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ListServiceQuotasCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { SFNClient } from '@aws-sdk/client-sfn';
import { ListSubscriptionsByTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { clientConfiguration, connect } from '../deployment/connect.ts';
import { findProviders } from '../deployment/connect-chain.ts';
import type { Target } from '../deployment/target.ts';
import type { Account, Quota, StackView } from './account.ts';
import { lastLogLine } from './last-log-line.ts';
import { runningExecutions } from './running-executions.ts';
import { tableView } from './table-view.ts';

/** Time-outs of one attempt, in milliseconds; the SDK makes three. A person waits, and an emulator may be slow. */
const timeouts = {
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 20_000, throwOnRequestTimeout: true },
};

/** SSM parameter of CDK's bootstrap stack with the usual qualifier. */
const bootstrapParameter = '/cdk-bootstrap/hnb659fds/version';

/** Connects to the account of a deployment. Nothing is asked before a function is called. */
export function connectAccount(target: Target): Account {
  const configuration = { ...clientConfiguration(target), ...timeouts };
  const cloudFormation = new CloudFormationClient(configuration);
  const [ssm, kms] = [new SSMClient(configuration), new KMSClient(configuration)];
  const { stackName } = target;
  return {
    ...{ target, stackName },
    identity: async () => {
      const { Arn: arn = 'unknown' } = await new STSClient(configuration).send(
        new GetCallerIdentityCommand({}),
      );
      return arn;
    },
    region: () => cloudFormation.config.region(),
    stack: () => readStack(cloudFormation, stackName),
    logGroups: () => readLogGroups(cloudFormation, stackName),
    bootstrapVersion: async () => (await readParameter(ssm, bootstrapParameter))?.Value,
    parameterType: async (name) => (await readParameter(ssm, name))?.Type,
    rpcUrls: async (path, chainId) => (await findProviders(target, chainId, { ssm, path })).urls,
    loggingRole: async () => {
      const account = await new APIGatewayClient(configuration).send(new GetAccountCommand({}));
      return account.cloudwatchRoleArn || undefined;
    },
    concurrentExecutions: async () => {
      const { AccountLimit: limit } = await new LambdaClient(configuration).send(
        new GetAccountSettingsCommand({}),
      );
      return limit?.ConcurrentExecutions ?? 0;
    },
    quotas: (serviceCode) => readQuotas(new ServiceQuotasClient(configuration), serviceCode),
    subscriptions: (topicArn) => readSubscriptions(new SNSClient(configuration), topicArn),
    table: (name) => tableView(new DynamoDBClient(configuration), name),
    keyState: async (keyId) => {
      const { KeyMetadata: metadata } = await kms.send(new DescribeKeyCommand({ KeyId: keyId }));
      return metadata?.KeyState ?? 'unknown';
    },
    lastLine: (group, message, since) =>
      lastLogLine(new CloudWatchLogsClient(configuration), group, message, since),
    runningExecutions: (aliasArn) => runningExecutions(new SFNClient(configuration), aliasArn),
    deployment: () => connect(target),
  };
}

async function readStack(
  cloudFormation: CloudFormationClient,
  stackName: string,
): Promise<StackView | undefined> {
  try {
    const { Stacks: stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stackName }));
    const [stack] = stacks ?? [];
    if (!stack) return undefined;
    const outputs = (stack.Outputs ?? []).map(({ OutputKey: key = '', OutputValue: value }) => [key, value]);
    return {
      status: stack.StackStatus ?? 'unknown',
      changedAt: stack.LastUpdatedTime ?? stack.CreationTime,
      isProtected: stack.EnableTerminationProtection ?? false,
      outputs: Object.fromEntries(outputs),
    };
  } catch (error) {
    if (error instanceof Error && error.message.includes('does not exist')) return undefined;
    throw error;
  }
}

async function readLogGroups(
  cloudFormation: CloudFormationClient,
  stackName: string,
): Promise<Map<string, string>> {
  const groups = new Map<string, string>();
  let next: string | undefined;
  do {
    const page = await cloudFormation.send(
      new ListStackResourcesCommand({ StackName: stackName, NextToken: next }),
    );
    for (const {
      ResourceType: type,
      LogicalResourceId: id,
      PhysicalResourceId: name,
    } of page.StackResourceSummaries ?? [])
      if (type === 'AWS::Logs::LogGroup' && id && name) groups.set(id, name);
    next = page.NextToken;
  } while (next);
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

async function readQuotas(quotas: ServiceQuotasClient, serviceCode: string): Promise<Quota[]> {
  const read: Quota[] = [];
  let next: string | undefined;
  do {
    const page = await quotas.send(
      new ListServiceQuotasCommand({ ServiceCode: serviceCode, NextToken: next }),
    );
    for (const { QuotaName: name, QuotaCode: code, Value: value } of page.Quotas ?? [])
      if (name && code && value !== undefined) read.push({ name, code, value });
    next = page.NextToken;
  } while (next);
  return read;
}

/** What SNS shows in place of the ARN of a subscription that nobody has confirmed. */
const pending = 'PendingConfirmation';

async function readSubscriptions(sns: SNSClient, topicArn: string) {
  const found: { protocol: string; arn: string }[] = [];
  let next: string | undefined;
  do {
    const page = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn: topicArn, NextToken: next }));
    for (const { Protocol: protocol = 'unknown', SubscriptionArn: arn = pending } of page.Subscriptions ?? [])
      found.push({ protocol, arn });
    next = page.NextToken;
  } while (next);
  const confirmed = found.filter(({ arn }) => arn !== pending && arn !== 'Deleted');
  return {
    confirmed: confirmed.map(({ protocol }) => protocol),
    pending: found.filter(({ arn }) => arn === pending).length,
  };
}
