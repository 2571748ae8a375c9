import { setTimeout as wait } from 'node:timers/promises';
import { APIGatewayClient, UpdateAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  UpdateStackCommand,
  UpdateTerminationProtectionCommand,
  waitUntilStackUpdateComplete,
} from '@aws-sdk/client-cloudformation';
import { AttachRolePolicyCommand, CreateRoleCommand, GetRoleCommand, IAMClient } from '@aws-sdk/client-iam';
import { RequestServiceQuotaIncreaseCommand, ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import { SSMClient } from '@aws-sdk/client-ssm';
import { clientConfiguration } from '../deployment/connect.ts';
import { writeRpcUrls } from '../deployment/settings/ssm-settings.ts';
import type { Target } from '../deployment/target.ts';
import { CommandFailedError } from '../terminal/errors.ts';

/** Role with which API Gateway writes logs. */
const loggingRole = 'api-gateway-logs';

const loggingPolicy = 'arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs';

const trustOfApiGateway = JSON.stringify({
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' }, Action: 'sts:AssumeRole' },
  ],
});

/** Changes to an AWS account. Each can be repeated. Every function throws AWS's errors. */
export function changeAccount(target: Target, pause: (milliseconds: number) => Promise<unknown> = wait) {
  const configuration = clientConfiguration(target);
  const cloudFormation = new CloudFormationClient(configuration);
  const { stackName: StackName } = target;
  return {
    createLoggingRole: async () => {
      const arn = await loggingRoleArn(new IAMClient(configuration));
      await useLoggingRole(new APIGatewayClient(configuration), arn, pause);
    },
    requestQuota: (service: string, code: string, value: number) =>
      requestQuota(new ServiceQuotasClient(configuration), service, code, value),
    putRpcUrls: (parameterName: string, urls: readonly string[]) =>
      writeRpcUrls(new SSMClient(configuration), parameterName, urls),
    /** Lets CDK replace a stack whose first deployment failed. */
    allowReplacement: async () => {
      const off = { StackName, EnableTerminationProtection: false };
      await cloudFormation.send(new UpdateTerminationProtectionCommand(off));
    },
    /** Turns the deployed stack's parameter `Protection` on, without a new template. */
    protectStack: () => protectStack(cloudFormation, StackName),
  };
}

async function loggingRoleArn(iam: IAMClient): Promise<string> {
  const role = { RoleName: loggingRole };
  try {
    await iam.send(new CreateRoleCommand({ ...role, AssumeRolePolicyDocument: trustOfApiGateway }));
  } catch (error) {
    if (!(error instanceof Error && error.name === 'EntityAlreadyExistsException')) throw error;
  }
  await iam.send(new AttachRolePolicyCommand({ ...role, PolicyArn: loggingPolicy }));
  return (await iam.send(new GetRoleCommand(role))).Role?.Arn ?? '';
}

/** API Gateway accepts one update in 20 seconds. */
const updateMilliseconds = 20_000;

/** API Gateway refuses a new role until IAM has distributed it, which takes some seconds. */
async function useLoggingRole(
  gateway: APIGatewayClient,
  value: string,
  pause: (milliseconds: number) => Promise<unknown>,
): Promise<void> {
  const patch = { op: 'replace', path: '/cloudwatchRoleArn', value } as const;
  for (let tries = 10; ; tries--) {
    try {
      await gateway.send(new UpdateAccountCommand({ patchOperations: [patch] }));
      return;
    } catch (error) {
      if (!(error instanceof Error && error.name === 'BadRequestException') || tries === 1) throw error;
      await pause(updateMilliseconds);
    }
  }
}

/** AWS accepts one open request for a quota. */
async function requestQuota(
  client: ServiceQuotasClient,
  ServiceCode: string,
  QuotaCode: string,
  DesiredValue: number,
): Promise<void> {
  try {
    await client.send(new RequestServiceQuotaIncreaseCommand({ ServiceCode, QuotaCode, DesiredValue }));
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ResourceAlreadyExistsException')) throw error;
  }
}

/** Maximum time for an update of five tables, in seconds. */
const maxUpdateSeconds = 1_800;

async function protectStack(client: CloudFormationClient, StackName: string): Promise<void> {
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  const others = (stack?.Parameters ?? []).filter(({ ParameterKey: name }) => name !== 'Protection');
  const update = new UpdateStackCommand({
    ...{ StackName, UsePreviousTemplate: true, Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM'] },
    Parameters: [
      { ParameterKey: 'Protection', ParameterValue: 'on' },
      ...others.map(({ ParameterKey }) => ({ ParameterKey, UsePreviousValue: true })),
    ],
  });
  try {
    await client.send(update);
  } catch (error) {
    if (error instanceof Error && error.message.includes('No updates are to be performed')) return;
    throw error;
  }
  const waiting = waitUntilStackUpdateComplete({ client, maxWaitTime: maxUpdateSeconds }, { StackName });
  // The waiter's error quotes the whole stack.
  await waiting.catch((cause: unknown) => {
    const message = `CloudFormation did not turn on the protection of ${StackName}; read the stack's events`;
    throw new CommandFailedError(`${message}, and run setup again`, { cause });
  });
}
