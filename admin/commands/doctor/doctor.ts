import type { Command } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import type { ChainSettings, Settings } from '../../../functions/domain/settings.ts';
import { rpcUrlsPath } from '../../../functions/domain/settings-changes.ts';
import type { Environment } from '../../../lib/environment/environment.ts';
import { FileInvalidError } from '../../../lib/environment/read-json.ts';
import type { Account } from '../../account/connect-account.ts';
import { parseChainId } from '../../deployment/arguments.ts';
import type { CommandResult, Deployment, ToAccountAction } from '../../deployment/command.ts';
import { namedEnvironment } from '../../deployment/named-environment.ts';
import { chainOf } from '../../deployment/served-chain.ts';
import type { StackView } from '../../deployment/stack-outputs.ts';
import { UsageInvalidError } from '../../terminal/errors.ts';
import { checkAccount, checkCaller, checkProtection, checkStack } from './account-checks.ts';
import { checkChain } from './chain/check-chain.ts';
import {
  checkAws,
  countText,
  exitCodeOf,
  type Finding,
  notChecked,
  ok,
  problem,
  reportText,
  type Section,
} from './report.ts';

interface Options {
  readonly chain?: number;
  readonly env?: string;
}

const description =
  'Check the account, the deployment, and its chains, and print how to fix each problem. Read-only: it simulates a commit ' +
  'and a reveal on each chain, but sends nothing.';

const help = helpText({
  notes: `Before the first deployment, pass --env with the name of a file
environments/NAME.json.`,
  examples: ['admin doctor', 'admin doctor --env production --chain 8453'],
  exitCodes: {
    0: 'no problems, possibly warnings',
    1: 'at least one problem',
    2: 'wrong usage, or a check got no answer',
    130: 'interrupted',
  },
});

export function doctor(program: Command, toAccountAction: ToAccountAction): void {
  program
    .command('doctor')
    .description(description)
    .option('--chain <id>', 'check only this chain', parseChainId)
    .option('--env <name>', 'check this environment instead of the deployed settings')
    .addHelpText('after', help)
    .action(toAccountAction(run));
}

async function run(account: Account, isColored: boolean, { chain, env }: Options): Promise<CommandResult> {
  const now = new Date();
  const { stack, deployment, ...found } = await findDeployment(account);
  const loaded = await (env === undefined
    ? deployedSettings(account, deployment, found.findings)
    : environmentSettings(account, env));
  const { settings } = loaded;
  const chains = settings ? selectChains(settings, chain) : [];
  const urlsPath = stack?.outputs.RpcUrlsPath ?? rpcUrlsPath(account.stackName);
  const [accountFindings, deployed, ...chainFindings] = await Promise.all([
    checkAccount(account, settings),
    stack ? checkStack(account, stack, now) : [],
    ...chains.map((item) =>
      checkChain({
        account,
        settings: settings as Settings,
        chain: item,
        rpcUrlsPath: urlsPath,
        deployment,
        now,
      }),
    ),
  ]);
  const sections: Section[] = [
    { title: 'Before a deployment', findings: [...loaded.findings, ...accountFindings] },
    {
      title: `Stack ${account.stackName}`,
      findings: [...found.findings, ...checkProtection(stack, loaded.environment, env), ...deployed],
    },
    ...chains.map(({ chainId, name }, position) => ({
      ...{ title: `Chain ${chainId} (${name})`, chainId },
      findings: chainFindings[position] ?? [],
    })),
  ];
  const exitCode = exitCodeOf(sections);
  return {
    json: { stackName: account.stackName, exitCode, counted: countText(sections), sections },
    text: reportText(sections, isColored),
    ...(exitCode === 0 ? {} : { exitCode }),
  };
}

/** Finds the stack and its deployment, with findings if one is missing or unknown. */
async function findDeployment(account: Account) {
  let stack: StackView | undefined;
  let deployment: Deployment | undefined;
  const findings = await checkAws(account, ['stack', 'cloudformation:DescribeStacks'], async () => {
    stack = await account.stack();
    if (stack === undefined)
      return notChecked('nothing is deployed yet', 'Fix the problems above, then deploy.');
    deployment = await account.deployment();
    return [];
  });
  return { stack, deployment, findings };
}

interface FoundSettings {
  readonly settings: Settings | undefined;
  /** Environment of --env, if it is valid. */
  readonly environment?: Environment;
  readonly findings: readonly Finding[];
}

async function deployedSettings(
  account: Account,
  deployment: Deployment | undefined,
  stackFindings: readonly Finding[],
): Promise<FoundSettings> {
  if (stackFindings.some(({ failed }) => failed)) return { settings: undefined, findings: [] };
  let settings: Settings | undefined;
  const findings = await checkAws(account, ['settings', 'ssm:GetParameter'], async () => {
    if (!deployment)
      return notChecked('none are deployed', 'Pass the environment to deploy with --env NAME.');
    settings = await deployment.settings();
    return ok(`${chainCount(settings)}, as deployed`);
  });
  return { settings, findings };
}

async function environmentSettings(account: Account, name: string): Promise<FoundSettings> {
  const check = 'settings';
  try {
    const environment = namedEnvironment(account, name);
    const { settings } = environment;
    const finding = { check, ...ok(`${chainCount(settings)}, from environments/${name}.json`) };
    return { settings, environment, findings: [finding, ...(await checkCaller(account, environment))] };
  } catch (error) {
    if (!(error instanceof FileInvalidError)) throw error;
    const todo = `Fix the file, and check it with npm run synth -- -c env=${name}.`;
    return { settings: undefined, findings: error.problems.map((one) => ({ check, ...problem(one, todo) })) };
  }
}

const chainCount = ({ chains }: Settings): string =>
  chains.length === 1 ? '1 chain' : `${chains.length} chains`;

function selectChains({ chains }: Settings, chainId: number | undefined): readonly ChainSettings[] {
  return chainId === undefined ? chains : [chainOf(chains, chainId, UsageInvalidError)];
}
