import { referenceOf } from 'imprimatur-client';
import type { Progress } from 'imprimatur-terminal/progress';
import { fieldList } from 'imprimatur-terminal/text';
import type { ChainSettings, Settings } from '../../functions/domain/settings.ts';
import { rpcUrlsPath } from '../../functions/domain/settings-changes.ts';
import { emulatorAccount } from '../../lib/emulators.ts';
import type { Supervisor } from '../../local/process/supervise.ts';
import type { Account } from '../account/connect-account.ts';
import { accountIn } from '../commands/doctor/account-checks.ts';
import type { CommandResult } from '../deployment/command.ts';
import type { Providers } from '../deployment/connect-chain.ts';
import type { Target } from '../deployment/target.ts';
import type { Answers } from './answers.ts';
import { adviceOnAnswer, connectSetupChain } from './chain.ts';
import { apiKeyPath, type setupChanges } from './changes.ts';
import { doSteps, type FoundStep, instructionsText, isComplete, planSteps, planText } from './run-steps.ts';
import type { Setup, Step } from './step.ts';
import { accountSteps } from './steps/account.ts';
import { apiUrlOf, attestationStep, findConfirmed, verificationStep } from './steps/attestation.ts';
import { contractsStep, rpcUrlsStep } from './steps/chains.ts';
import { deploymentSteps, isUsable } from './steps/deployment.ts';
import { environmentStep, planEnvironment } from './steps/environment.ts';
import { apiKeyStep, delegationStep, organizationStep } from './steps/publisher.ts';
import { fundsStep, operatorStep } from './steps/signer.ts';

export interface SetupOptions {
  /** Name of the environment. */
  readonly env: string;
  /** Only show the plan. */
  readonly plan?: true;
  /** Change without a question, and do not wait where somebody else has to act. */
  readonly yes?: true;
}

/** What a setup uses. Tests replace parts of it. */
export interface SetupTools {
  readonly answers: Answers;
  readonly progress: Progress;
  /** Runs the CDK, and locks the folder for logs and the API key. */
  readonly supervisor: Supervisor;
  /** Folder of environments. */
  readonly environments: string;
  connectAccount(target: Target): Account;
  readonly makeChanges: typeof setupChanges;
}

/** Sets up an environment, or continues an earlier run: each step looks at what exists. */
export async function setUp(
  target: Target,
  options: SetupOptions,
  tools: SetupTools,
): Promise<CommandResult> {
  const { answers, progress } = tools;
  const { setup, steps } = await prepare(target, options.env, tools);
  const planned = await planSteps(steps, setup);
  progress.print(`${planText(setup, planned)}\n`);
  if (isComplete(planned)) return result(setup, planned);
  if (options.plan || !(options.yes || (await answers.confirm())))
    return result(setup, planned, 'Nothing was changed. To carry out the plan, confirm it or pass --yes.');
  return result(setup, await doSteps(steps, setup, { progress, waits: !options.yes }));
}

async function prepare(target: Target, name: string, tools: SetupTools) {
  const { environments, supervisor, progress } = tools;
  const answers = withLocalChain(tools.answers, target);
  const caller = await callerOf(tools.connectAccount(target));
  const planned = await planEnvironment(name, environments, caller, answers);
  const { environment } = planned;
  const ownTarget = { ...target, stackName: environment.stackName };
  const account = tools.connectAccount(ownTarget);
  const changes = tools.makeChanges({ ...tools, name, target: ownTarget });
  const setup: Setup = {
    ...{ name, environment, environments, directory: supervisor.directory },
    ...{ account, answers, changes, progress },
    deployment: async () => (isUsable(await account.stack()) ? account.deployment() : undefined),
    chain: async ({ chainId }) => {
      const { urls, advice } = await providersOf(account, answers, chainId);
      return connectSetupChain(chainId, urls, advice);
    },
  };
  return { setup, steps: [environmentStep(planned), ...stepsOf(environment.settings)] };
}

/** A local stack has one chain, whose RPC URL is known. */
function withLocalChain(answers: Answers, target: Target): Answers {
  if (target.kind !== 'local') return answers;
  return { ...answers, chainIds: async () => [target.chainId], rpcUrls: async () => [target.rpcUrl] };
}

async function callerOf(account: Account) {
  if (account.target.kind === 'local')
    return { account: emulatorAccount, region: account.target.region, isEmulator: true };
  const arn = await account.identity();
  return { account: accountIn(arn) ?? 'unknown', region: await account.region(), isEmulator: false };
}

/** Stored RPC URLs, or those to store. */
async function providersOf(account: Account, answers: Answers, chainId: number): Promise<Providers> {
  const path = rpcUrlsPath(account.stackName);
  const isStored = (await account.parameterType(`${path}/${chainId}`)) !== undefined;
  return isStored
    ? account.providers(path, chainId)
    : { urls: await answers.rpcUrls(chainId), advice: adviceOnAnswer };
}

function stepsOf({ chains, defaultChainId }: Settings): Step[] {
  const first = chains.find(({ chainId }) => chainId === defaultChainId) ?? (chains[0] as ChainSettings);
  return [
    ...accountSteps(),
    ...chains.flatMap((chain) => [rpcUrlsStep(chain), contractsStep(chain)]),
    ...deploymentSteps,
    ...chains.flatMap((chain) => [fundsStep(chain), operatorStep(chain)]),
    ...[organizationStep(first), apiKeyStep(first), delegationStep(first)],
    ...[attestationStep(first), verificationStep],
  ];
}

/** The result, with exit code 3 while steps remain. */
async function result(
  setup: Setup,
  found: readonly FoundStep[],
  next = 'Run setup again to continue.',
): Promise<CommandResult> {
  const steps = found.map(({ name, finding }) => {
    const { act: _, ...shown } = { act: undefined, ...finding };
    return { name, ...shown };
  });
  const apiUrl = (await apiUrlOf(setup.account)) ?? null;
  if (!isComplete(found)) {
    const { length } = found.filter(({ finding }) => finding.state !== 'done');
    const remaining = length === 1 ? '1 step remains' : `${length} steps remain`;
    const text = [instructionsText(found), `${remaining}. ${next}`];
    return { json: { complete: false, apiUrl, steps }, text: text.filter(Boolean).join('\n\n'), exitCode: 3 };
  }
  const confirmed = await findConfirmed(setup);
  const reference = confirmed ? referenceOf(confirmed) : null;
  const apiKeyFile = apiKeyPath(setup.directory);
  return {
    json: { complete: true, apiUrl, apiKeyFile, reference, steps },
    text: fieldList({ API: apiUrl, 'API key': apiKeyFile, 'first attestation': reference }),
  };
}
