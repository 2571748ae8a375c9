import {
  CloudFormationClient,
  DeleteStackCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn';
import { ListTopicsCommand, SNSClient } from '@aws-sdk/client-sns';
import { DescribeParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { clientOptions } from '../../local/emulator/aws-endpoint.ts';
import { usualStackName } from '../../local/stack/platform.ts';
import type { Stack } from '../../local/stack/stack.ts';

/** What is left of a stack that was deleted, by name; nothing else runs on its emulator. */
export interface Residue {
  readonly tables: readonly string[];
  readonly parameters: readonly string[];
  /** State of the signing key. */
  readonly signingKey: string | undefined;
  /** What costs money or runs: functions, state machines, topics, log groups. */
  readonly others: readonly string[];
}

/** Longest wait until all is deleted, on a machine that has other work. */
const longestSeconds = 600;

/** Deletes a stack as `cdk destroy` does, and looks what is left. */
export async function destroyStack({ endpoint, file, outputs }: Stack): Promise<Residue> {
  const options = clientOptions(endpoint);
  const client = new CloudFormationClient(options);
  const StackName = file.stackName ?? usualStackName;
  await client.send(new DeleteStackCommand({ StackName }));
  const patience = { maxWaitTime: longestSeconds, minDelay: 2, maxDelay: 5 };
  await waitUntilStackDeleteComplete({ client, ...patience }, { StackName });
  const [tables, parameters, key, functions, machines, topics, groups] = await Promise.all([
    new DynamoDBClient(options).send(new ListTablesCommand({})),
    new SSMClient(options).send(new DescribeParametersCommand({})),
    new KMSClient(options).send(new DescribeKeyCommand({ KeyId: outputs.SigningKeyId })),
    new LambdaClient(options).send(new ListFunctionsCommand({})),
    new SFNClient(options).send(new ListStateMachinesCommand({})),
    new SNSClient(options).send(new ListTopicsCommand({})),
    new CloudWatchLogsClient(options).send(new DescribeLogGroupsCommand({})),
  ]);
  return {
    tables: (tables.TableNames ?? []).toSorted(),
    parameters: (parameters.Parameters ?? []).map(({ Name: name }) => String(name)).sort(),
    signingKey: key.KeyMetadata?.KeyState,
    others: [
      ...(functions.Functions ?? []).map(({ FunctionName: name }) => String(name)),
      ...(machines.stateMachines ?? []).map(({ name }) => String(name)),
      ...(topics.Topics ?? []).map(({ TopicArn: arn }) => String(arn)),
      ...(groups.logGroups ?? []).map(({ logGroupName: name }) => String(name)),
    ],
  };
}
