import { forwarderDeployment } from 'imprimatur-contracts/deploy/forwarder-deployment';
import type { Address } from 'viem';
import { type Environment, environmentSchema } from '../../../lib/environment/environment.ts';
import { isStackOfAny, namesIn, readEnvironment } from '../../../lib/environment/read-environment.ts';
import { defaultStackName } from '../../deployment/target.ts';
import { CommandFailedError, UsageInvalidError } from '../../terminal/errors.ts';
import { type Answers, adminIn } from '../answers.ts';
import { adviceOnAnswer, connectSetupChain } from '../chain.ts';
import { type ChainInput, describeChain } from '../describe-chain.ts';
import { done, type Step } from '../step.ts';

/** An environment, and the contents to write if its file does not exist yet. */
export interface PlannedEnvironment {
  readonly environment: Environment;
  readonly contents?: object;
}

/** Account and Region of the credentials. */
export interface Caller {
  readonly account: string;
  readonly region: string;
  readonly isEmulator: boolean;
}

/** Reads the environment, or plans one from the answers, the credentials and the chains. @throws FileInvalidError */
export async function planEnvironment(
  name: string,
  directory: string,
  caller: Caller,
  answers: Answers,
): Promise<PlannedEnvironment> {
  if (namesIn(directory).includes(name)) {
    const environment = readEnvironment(name, directory);
    requireMatchingCaller(environment, caller);
    return { environment };
  }
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name))
    throw new UsageInvalidError(
      '--env must be at most 40 lower-case letters, digits and hyphens, a letter first',
    );
  const taken = caller.isEmulator || isStackOfAny({ ...caller, stackName: defaultStackName }, directory);
  const stackName = taken ? `${defaultStackName}-${name}` : defaultStackName;
  const contents = await describeEnvironment(name, stackName, caller, answers);
  const parsed = environmentSchema.safeParse(contents);
  if (parsed.success) return { environment: parsed.data, contents };
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new UsageInvalidError(`the answers make no valid environment: ${problems.join('; ')}`);
}

function requireMatchingCaller({ account, region }: Environment, caller: Caller): void {
  if (account === caller.account && region === caller.region) return;
  throw new UsageInvalidError(
    `the credentials are for ${caller.account} in ${caller.region}, but the environment is in ${account} in ${region}; ` +
      'set AWS_PROFILE and AWS_REGION',
  );
}

async function describeEnvironment(
  name: string,
  stackName: string,
  { account, region }: Caller,
  answers: Answers,
) {
  const chainIds = await answers.chainIds();
  const chains = [];
  for (const chainId of chainIds) {
    const { client } = await connectSetupChain(chainId, await answers.rpcUrls(chainId), adviceOnAnswer);
    chains.push(await describeChain(client, chainId));
  }
  const delegate = await answers.delegate();
  const operators = await answers.operators();
  const alarmAddresses = await answers.alarmAddresses();
  const admin = delegate === 'forwarder' ? await forwarderAdmin(answers) : undefined;
  return {
    ...{ account, region, stackName },
    ...{ tags: { service: 'imprimatur', environment: name }, alarmAddresses, recommendedDelegate: delegate },
    ...(operators.length > 0 && { access: { operators, custodians: operators } }),
    settings: {
      ...(chainIds.length === 1 && { defaultChainId: chainIds[0] }),
      chains: chains.map((chain) => ({ ...chain, delegates: delegatesOf(chain, admin) })),
    },
  };
}

async function forwarderAdmin(answers: Answers): Promise<Address> {
  const admin = await adminIn(answers);
  if (admin) return admin;
  throw new UsageInvalidError(
    'a forwarder needs an admin: answer forwarderAdmin or payerKeyFile, or set delegate to "key"',
  );
}

/** The delegates that authorities may choose, the recommended one first. */
function delegatesOf({ registryAddress }: ChainInput, admin: Address | undefined) {
  if (admin === undefined) return ['key'] as const;
  return [forwarderDeployment(registryAddress as Address, admin).address, 'key'] as const;
}

export const environmentStep = ({ contents }: PlannedEnvironment): Step => ({
  name: 'environment file',
  look: async ({ name, account: { stack }, environment, environments, changes }) => {
    const { account, region, stackName, settings } = environment;
    const chains = settings.chains.map((chain) => chain.name).join(', ');
    const text = `environments/${name}.json: stack ${stackName} in ${account}, ${region}, on ${chains}`;
    if (contents === undefined || namesIn(environments).includes(name)) return done(text);
    if (await stack())
      throw new CommandFailedError(
        `the stack ${stackName} exists, but environments/${name}.json does not; restore the file, because another one would change the stack`,
      );
    return { state: 'to do', text, act: () => changes.writeEnvironment(contents) };
  },
});
