import { rmSync } from 'node:fs';
import { DeleteParameterCommand, paginateGetParametersByPath, SSMClient } from '@aws-sdk/client-ssm';
import { checkout } from '../../../local/checkout.ts';
import { Supervisor } from '../../../local/process/supervise.ts';
import { accountVariables, runCdkDeploy, type StackOutputs } from '../../../local/stack/deploy-service.ts';
import type { SettingsInput } from '../../../local/stack/stack-settings.ts';
import { assert, waitUntil } from '../conditions.ts';
import type { Target } from '../target.ts';
import { deleteStack, describeStack, isChanging } from './cloudformation.ts';
import {
  callerOf,
  checkPayer,
  type Payment,
  removalOf,
  removeEnvironment,
  type SmokeEnvironment,
  writeEnvironment,
} from './environment.ts';
import { setUpService, setupDirectory } from './set-up.ts';
import { deleteLeftTables, noteRestoreTime, tablesNamed, tablesOf } from './tables.ts';

export interface AwsTarget extends Target {
  /** Checks the prerequisites before anything is created. @returns the caller's ARN */
  check(purpose: 'run' | 'removal'): Promise<string>;
}

/** Makes the target in an AWS account, without sending a request. */
export function awsTarget(
  environment: SmokeEnvironment,
  payment: Payment,
  log: (line: string) => void,
): AwsTarget {
  const { region, account, stackName, chain } = environment;
  const stack = { aws: { region }, stackName };
  let changes: Partial<SettingsInput> = {};
  let outputs: StackOutputs | undefined;
  const deployed = (): StackOutputs => {
    assert(outputs !== undefined, 'nothing is deployed yet');
    return outputs;
  };
  let hasStarted = false;
  const target: AwsTarget = {
    ...stack,
    isAws: true,
    title: `account ${account} in ${region}, chain ${chain.chainId} (${chain.name}), stack ${stackName}`,
    repository: checkout,
    adminOptions: ['--stack', stackName],
    check: async (purpose) => {
      const caller = await callerOf(environment);
      if (purpose === 'removal') return caller;
      const left = [...(await tablesNamed(stack)), ...(await leftParameters(environment))];
      if (await describeStack(stack)) left.push(`the stack ${stackName}`);
      const removal = removalOf(environment);
      assert(left.length === 0, `an earlier run left ${left.join(', ')}; remove it first: ${removal}`);
      await checkPayer(environment, payment);
      return caller;
    },
    deploy: async () => {
      hasStarted = true;
      writeEnvironment(environment);
      log('preparing the account and deploying with setup, about 10 minutes');
      const service = await setUpService(target, environment, payment, log);
      outputs = service.outputs;
      return service;
    },
    update: async (changed, allAtOnce) => {
      changes = { ...changes, ...changed };
      writeEnvironment(environment, changes);
      outputs = await cdkDeploy(environment, allAtOnce ? { allAtOnce: 'true' } : {});
    },
    settings: () => ({ ...environment.file.settings, ...changes }),
    prepareRestore: () => noteRestoreTime(stack, tablesOf(deployed())),
    destroy: async () => {
      hasStarted = true;
      await waitUntil(
        `nothing changes the stack ${stackName}`,
        { minutes: 60, everySeconds: 10 },
        async () => {
          const status = (await describeStack(stack))?.StackStatus;
          if (isChanging(status)) log(`waiting for CloudFormation: ${status}`);
          return !isChanging(status);
        },
      );
      log(`destroying the stack ${stackName} and the restored tables`);
      await deleteStack(stack);
      await deleteLeftTables(stack);
      const ssm = new SSMClient({ region });
      for (const Name of await leftParameters(environment))
        await ssm.send(new DeleteParameterCommand({ Name }));
      removeEnvironment(environment);
      rmSync(setupDirectory(environment), { recursive: true, force: true });
      hasStarted = false;
    },
    leftBehind: () => (hasStarted ? remainingResources(environment) : []),
    stop: async () => undefined,
  };
  return target;
}

async function leftParameters({ region, stackName }: SmokeEnvironment): Promise<string[]> {
  const left: string[] = [];
  const input = { Path: `/${stackName}/`, Recursive: true };
  const client = new SSMClient({ region });
  for await (const { Parameters: page = [] } of paginateGetParametersByPath({ client }, input))
    left.push(...page.flatMap(({ Name: name }) => name ?? []));
  return left;
}

async function cdkDeploy({ name, region }: SmokeEnvironment, extraContext: Readonly<Record<string, string>>) {
  const supervisor = await Supervisor.open(`${checkout}/.local/rehearse/${name}`);
  try {
    return await runCdkDeploy(supervisor, {
      tool: 'cdk',
      context: { env: name, ...extraContext },
      variables: accountVariables(region),
    });
  } finally {
    await supervisor.stop();
  }
}

export function remainingResources(environment: SmokeEnvironment): string[] {
  const { name, stackName, region } = environment;
  return [
    `in ${region} the stack ${stackName}, possibly changing, with tables, a KMS key and logs`,
    `tables named ${stackName}-restored-…, SSM parameters below /${stackName}/, environments/${name}.json`,
    `to remove all of it, run: ${removalOf(environment)}`,
  ];
}
