import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { environmentDigest } from '../../../lib/environment/environment.ts';
import type { Account } from '../../account/connect-account.ts';
import { failedCreation } from '../../commands/doctor/account-checks.ts';
import type { StackView } from '../../deployment/stack-outputs.ts';
import { CommandFailedError } from '../../terminal/errors.ts';
import { announce } from '../announce.ts';
import { done, later, type Setup, type Step } from '../step.ts';

const pollMilliseconds = 5_000;

const settledStack = ({ account, progress }: Setup): Promise<StackView | undefined> =>
  announce(
    progress,
    `Waiting until CloudFormation ends its change of the stack ${account.stackName}, whose events show how far it is.`,
    settled(account),
  );

/** Reads the stack when no deployment changes it: AWS continues a deployment after the command that started it died. */
export async function settled(
  account: Account,
  pause: (milliseconds: number) => Promise<unknown> = wait,
): Promise<StackView | undefined> {
  for (;;) {
    const stack = await account.stack();
    // A stack in review has a change set that was never executed.
    if (stack?.status === 'REVIEW_IN_PROGRESS') return undefined;
    if (!stack?.status.endsWith('_IN_PROGRESS')) return stack;
    await pause(pollMilliseconds);
  }
}

export const isUsable = (stack: StackView | undefined): boolean =>
  /^(CREATE|UPDATE|IMPORT|UPDATE_ROLLBACK)_COMPLETE$/.test(stack?.status ?? '');

/** Commands of the AWS CLI that make a stack usable, or remove it, by its status. */
const repairs: Readonly<Record<string, string>> = {
  UPDATE_ROLLBACK_FAILED: 'continue-update-rollback',
  DELETE_FAILED: 'delete-stack',
};

function describeRepair(stackName: string, status: string): string {
  const aws = (command: string) => `aws cloudformation ${command} --stack-name ${stackName}`;
  const repair = repairs[status];
  const again = repair ? `run ${aws(repair)}, and run setup again` : 'run setup again';
  return `the stack ${stackName} is ${status}; run ${aws('describe-stack-events')}, fix what the events report, then ${again}`;
}

const stackStep: Step = {
  name: 'stack',
  look: async (setup) => {
    const { account, changes, environment } = setup;
    const stack = await settledStack(setup);
    const { stackName } = account;
    const deploy = () => changes.deployStack(environment);
    const cost = 'about 21 USD a month while idle';
    if (stack === undefined)
      return { state: 'to do', text: `${stackName}, which takes a few minutes`, cost, act: deploy };
    if (failedCreation.test(stack.status)) {
      const text = `${stackName} again, because its first deployment failed (${stack.status})`;
      const replace = async () => {
        await changes.allowReplacement();
        await deploy();
      };
      return { state: 'to do', text, cost, act: replace };
    }
    if (!isUsable(stack)) throw new CommandFailedError(describeRepair(stackName, stack.status));
    if (await hasEnvironment(setup, stack))
      return done(`${stackName} is ${stack.status}, as in the environment`);
    return { state: 'to do', text: `${stackName} with the changes of the environment`, act: deploy };
  },
};

/** A stack on an emulator has only the settings of its environment. */
async function hasEnvironment({ account, environment }: Setup, { outputs }: StackView): Promise<boolean> {
  if (account.target.kind === 'cloud') return outputs.EnvironmentDigest === environmentDigest(environment);
  const deployed = await (await account.deployment()).settingsStore.deployed();
  return isDeepStrictEqual(deployed, environment.settings);
}

const protectionStep: Step = {
  name: 'protection',
  look: async (setup) => {
    const { account, changes, environment } = setup;
    if (!environment.deletionProtection) return done('off, as in the environment');
    if (account.target.kind === 'local') return done('not needed on an emulator');
    const stack = await settledStack(setup);
    const text = 'deletion protection of the stack and its tables';
    if (!isUsable(stack)) return later(text);
    if (stack?.protection === 'on') return done(text);
    return { state: 'to do', text, act: changes.protectStack };
  },
};

export const deploymentSteps: readonly Step[] = [stackStep, protectionStep];
