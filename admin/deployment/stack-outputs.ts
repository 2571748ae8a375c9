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

export type StackOutputs = Readonly<Record<(typeof names)[number], string>>;

export type StackView = NonNullable<Awaited<ReturnType<typeof findStack>>>;

/** Reads a stack; `undefined` before its first deployment. */
export async function findStack(cloudFormation: CloudFormationClient, stackName: string) {
  try {
    const { Stacks: stacks } = await cloudFormation.send(new DescribeStacksCommand({ StackName: stackName }));
    const [stack] = stacks ?? [];
    // Emulators also describe a deleted stack.
    if (!stack || stack.StackStatus === 'DELETE_COMPLETE') return undefined;
    const outputs = (stack.Outputs ?? []).map(({ OutputKey: key = '', OutputValue: value }) => [key, value]);
    return {
      status: stack.StackStatus ?? 'unknown',
      changedAt: stack.LastUpdatedTime ?? stack.CreationTime,
      /** Whether it has termination protection, as with `deletionProtection`. */
      isProtected: stack.EnableTerminationProtection ?? false,
      /** Its parameter `Protection`, which protects the tables; `undefined` without `deletionProtection`. */
      protection: stack.Parameters?.find(({ ParameterKey: key }) => key === 'Protection')?.ParameterValue as
        | 'off'
        | 'on'
        | undefined,
      outputs: Object.fromEntries(outputs) as Readonly<Record<string, string | undefined>>,
    };
  } catch (error) {
    if (isNoStack(error)) return undefined;
    throw error;
  }
}

/** Whether CloudFormation knows no stack of that name. */
export const isNoStack = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('does not exist');

export async function readStackOutputs(
  cloudFormation: CloudFormationClient,
  target: Target,
): Promise<StackOutputs> {
  const { stackName } = target;
  const stack = await findStack(cloudFormation, stackName);
  if (!stack) {
    const where =
      target.kind === 'local'
        ? `at ${target.endpointUrl}; start the local stack with npm start`
        : `in ${await cloudFormation.config.region()}; pass another name with --stack, or set AWS_REGION`;
    throw new CommandFailedError(`there is no stack ${stackName} ${where}`);
  }
  const missing = names.filter((name) => !stack.outputs[name]);
  if (missing.length > 0)
    throw new CommandFailedError(
      `the stack ${stackName} has no output ${missing.join(', ')}; deploy it again`,
    );
  return stack.outputs as StackOutputs;
}
