import type { Command } from 'commander';
import type { ChainSettings, Settings } from '../../../functions/domain/settings.ts';
import type { Environment } from '../../../lib/environment/environment.ts';
import { readEnvironment } from '../../../lib/environment/read-environment.ts';
import { FileInvalidError } from '../../../lib/environment/read-json.ts';
import type { Account, StackView } from '../../account/account.ts';
import { parseChainId } from '../../deployment/arguments.ts';
import type { CommandAnswer, Examine, Paper } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { ChainNotOfferedError, UsageInvalidError } from '../../terminal/errors.ts';
import { checkAccount } from './account-checks.ts';
import { askAws } from './ask-aws.ts';
import { checkChain } from './chain/check-chain.ts';
import { exitCodeOf, type Finding, notAsked, ok, problem, type Section } from './finding.ts';
import { countText, reportText } from './report.ts';
import { checkProtection, checkStack } from './stack-checks.ts';

interface Options {
  readonly chain?: number;
  readonly env?: string;
}

const description =
  'Look at the account, the deployment and its chains, before the first deployment too, and say what to do about ' +
  'each thing that is wrong. Reads alone: it changes and sends nothing. A commit and a reveal are simulated on each chain.';

const explanation = `
Exit codes: 0 nothing is wrong (warnings at most), 1 a problem, 2 wrong usage, or something could not be asked.
Before the first deployment --env names the environment that is to be deployed, environments/NAME.json.`;

export function doctor(program: Command, examine: Examine): void {
  program
    .command('doctor')
    .description(description)
    .option('--chain <id>', 'only this chain', parseChainId)
    .option('--env <name>', 'an environment, in place of the settings that are deployed')
    .addHelpText('after', explanation)
    .action((options: Options) =>
      examine((account, paper) => look(account, options, { ...paper, now: new Date() })),
    );
}

async function look(
  account: Account,
  options: Options,
  { now, ...paper }: Paper & { readonly now: Date },
): Promise<CommandAnswer> {
  const { stack, deployment, findings: stackFindings } = await findDeployment(account);
  const {
    settings,
    environment,
    findings: settingsFindings,
  } = await findSettings(account, options, deployment);
  const chains = settings ? chosenChains(settings, options) : [];
  const rpcUrlsPath = stack?.outputs.RpcUrlsPath ?? `/${account.stackName}/rpc-urls`;
  const [before, deployed, ...ofChains] = await Promise.all([
    checkAccount(account, settings),
    stack ? checkStack(account, stack, now) : [],
    ...chains.map(async (chain) =>
      checkChain({ account, settings: settings as Settings, chain, rpcUrlsPath, deployment, now }),
    ),
  ]);
  const sections: Section[] = [
    { title: 'Before a deployment', findings: [...settingsFindings, ...before] },
    {
      title: `Stack ${account.stackName}`,
      findings: [...stackFindings, ...checkProtection(stack, environment), ...deployed],
    },
    ...chains.map(({ chainId, name }, position) => ({
      ...{ title: `Chain ${chainId} (${name})`, chainId },
      findings: ofChains[position] ?? [],
    })),
  ];
  return answerOf(account, sections, paper);
}

function answerOf(account: Account, sections: readonly Section[], paper: Paper): CommandAnswer {
  const exitCode = exitCodeOf(sections);
  return {
    json: {
      stackName: account.stackName,
      exitCode,
      counted: countText(sections.flatMap(({ findings }) => findings)),
      sections,
    },
    text: reportText(sections, paper),
    ...(exitCode === 0 ? {} : { exitCode }),
  };
}

interface Found {
  readonly stack: StackView | undefined;
  readonly deployment: Deployment | undefined;
  /** Why one of both is not there, or not known. */
  readonly findings: readonly Finding[];
}

async function findDeployment(account: Account): Promise<Found> {
  let stack: StackView | undefined;
  let deployment: Deployment | undefined;
  const action = 'cloudformation:DescribeStacks';
  const findings = await askAws(account, { check: 'stack', action }, async () => {
    stack = await account.stack();
    if (stack === undefined)
      return notAsked('stack', 'nothing is deployed yet', 'Deploy when nothing above is a problem.');
    deployment = await account.deployment();
    return [];
  });
  return { stack, deployment, findings };
}

interface FoundSettings {
  readonly settings: Settings | undefined;
  /** The environment that is named, if it can be read. */
  readonly environment?: Environment;
  readonly findings: readonly Finding[];
}

/** The settings of the environment that is named, else those that are deployed. */
async function findSettings(
  account: Account,
  { env }: Options,
  deployment: Deployment | undefined,
): Promise<FoundSettings> {
  if (env !== undefined) return environmentSettings(account, env);
  if (deployment === undefined) {
    const todo = 'Name the environment that is to be deployed: --env NAME.';
    return { settings: undefined, findings: [notAsked('settings', 'none are deployed', todo)] };
  }
  let settings: Settings | undefined;
  const findings = await askAws(account, { check: 'settings', action: 'ssm:GetParameter' }, async () => {
    settings = await deployment.settings();
    return ok('settings', `${chainCount(settings)}, as deployed`);
  });
  return { settings, findings };
}

async function environmentSettings(account: Account, name: string): Promise<FoundSettings> {
  try {
    const environment = readEnvironment(name);
    const { settings, stackName } = environment;
    if (stackName !== account.stackName)
      throw new UsageInvalidError(`the stack of ${name} is ${stackName}: add --stack ${stackName}`);
    const read = ok('settings', `${chainCount(settings)}, of environments/${name}.json`);
    return { settings, environment, findings: [read, ...(await checkPlace(account, environment))] };
  } catch (error) {
    if (!(error instanceof FileInvalidError)) throw error;
    const todo = `Correct it; npm run synth -- -c env=${name} checks it.`;
    return { settings: undefined, findings: error.problems.map((one) => problem('settings', one, todo)) };
  }
}

/** Checks that the credentials are of the account and the Region that the environment is deployed to. */
function checkPlace(account: Account, { account: id, region }: Environment): Promise<Finding[]> {
  const check = 'account';
  return askAws(account, { check, action: 'sts:GetCallerIdentity' }, async () => {
    const [arn, asked] = await Promise.all([account.identity(), account.region()]);
    const [own] = /(?<=:)\d{12}(?=:)/.exec(arn) ?? [];
    if (own === id && asked === region) return ok(check, `${id} in ${region}, as the environment says`);
    return problem(
      check,
      `you ask ${own ?? 'an unknown account'} in ${asked}, and the environment is of ${id} in ${region}`,
      'Take credentials of that account (AWS_PROFILE), and set AWS_REGION.',
    );
  });
}

const chainCount = ({ chains }: Settings): string =>
  chains.length === 1 ? '1 chain' : `${chains.length} chains`;

function chosenChains({ chains }: Settings, { chain: chainId }: Options): readonly ChainSettings[] {
  if (chainId === undefined) return chains;
  const chosen = chains.filter((chain) => chain.chainId === chainId);
  if (chosen.length === 0) throw new UsageInvalidError(new ChainNotOfferedError(chainId, chains).message);
  return chosen;
}
