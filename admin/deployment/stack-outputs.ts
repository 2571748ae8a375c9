import { type CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CommandFailedError } from '../terminal/errors.ts';
import type { Target } from './target.ts';

const names = [
  'AttestationsTable',
  'LanesTable',
  'QueueTable',
  'OrganizationsTable',
  'WebhooksTable',
  'SigningKeyId',
  'AttestStateMachineArn',
  'LaneStateMachineArn',
  'RpcUrlsPath',
  'SettingsParameter',
] as const;

/** Outputs of the deployment's stack that the commands need. */
export type StackOutputs = Readonly<Record<(typeof names)[number], string>>;

/** Reads the outputs of a stack. */
export async function readStackOutputs(
  cloudFormation: CloudFormationClient,
  target: Target,
): Promise<StackOutputs> {
  const stack = await describeStack(cloudFormation, target);
  const entries = (stack?.Outputs ?? []).map(({ OutputKey: key = '', OutputValue: value }) => [key, value]);
  const outputs = Object.fromEntries(entries);
  const missing = names.filter((name) => !outputs[name]);
  if (missing.length > 0)
    throw new CommandFailedError(
      `the stack ${target.stackName} has no output ${missing.join(', ')}; deploy it again`,
    );
  return outputs as StackOutputs;
}

async function describeStack(cloudFormation: CloudFormationClient, target: Target) {
  const { stackName } = target;
  try {
    const { Stacks: stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stackName }));
    return stacks?.[0];
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('does not exist'))) throw error;
    const where =
      target.kind === 'local'
        ? `at ${target.endpointUrl}; start the local stack with npm start`
        : `in ${await cloudFormation.config.region()}; name another with --stack, or another region with AWS_REGION`;
    throw new CommandFailedError(`there is no stack ${stackName} ${where}`);
  }
}
