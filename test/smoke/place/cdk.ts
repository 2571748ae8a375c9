import { readFileSync } from 'node:fs';
import { checkout, searchPath, toolsPath } from '../../../local/checkout.ts';
import { Supervisor } from '../../../local/process/supervise.ts';
import type { StackOutputs } from '../../../local/stack/deploy-service.ts';
import { demand } from '../demand.ts';
import type { SmokeEnvironment } from '../smoke-environment.ts';

interface Deployment {
  readonly environment: SmokeEnvironment;
  /** Leaves the canary out. */
  readonly allAtOnce: boolean;
}

/** The user's own variables for AWS, without which the CDK finds no credentials. */
function awsVariables(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'));
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? '']));
}

/** Where the CDK's output goes. */
export const logPathOf = ({ name }: Pick<SmokeEnvironment, 'name'>, command: 'deploy' | 'destroy'): string =>
  `${checkout}/.local/${name}/${command}.log`;

/** What keeps a deployment from having been one by the roles of `cdk bootstrap`: the CDK falls back to the user's own rights. */
export function bootstrapProblem(executionRole: string | undefined, log: string): string | undefined {
  const refused = /could not be used to assume '([^']*)'/.exec(log)?.[1];
  if (refused !== undefined) return `the CDK could not assume ${refused}, and went on without`;
  return executionRole?.includes('-cfn-exec-role-')
    ? undefined
    : `CloudFormation deployed as ${executionRole ?? 'the user'}, not as the role of cdk bootstrap`;
}

/** Runs the CDK on the environment's stack. @returns its outputs, empty once it is destroyed @throws SmokeFailedError */
export async function runCdk(
  command: 'deploy' | 'destroy',
  { environment, allAtOnce }: Deployment,
): Promise<StackOutputs> {
  const directory = `${checkout}/.local/${environment.name}`;
  const supervisor = await Supervisor.open(directory);
  const logPath = logPathOf(environment, command);
  const outputsPath = `${directory}/outputs.json`;
  const own =
    command === 'deploy' ? ['--require-approval', 'never', '--outputs-file', outputsPath] : ['--force'];
  try {
    const done = await supervisor.run({
      name: command,
      command: `${toolsPath}/cdk`,
      args: [
        ...[command, ...own, '--output', `${directory}/cdk.out`],
        ...['-c', `env=${environment.name}`, ...(allAtOnce ? ['-c', 'allAtOnce=true'] : [])],
      ],
      env: {
        ...{ PATH: searchPath, HOME: process.env.HOME ?? '/', ...awsVariables() },
        ...{ AWS_REGION: environment.region },
      },
      logPath,
      cwd: checkout,
    });
    demand(done, `cdk ${command} failed: see the end of ${logPath}`);
  } finally {
    await supervisor.stop();
  }
  if (command === 'destroy') return {} as StackOutputs;
  const [outputs] = Object.values<StackOutputs>(JSON.parse(readFileSync(outputsPath, 'utf8')));
  demand(outputs !== undefined, `the deployment wrote no outputs to ${outputsPath}`);
  return outputs;
}
