import type { Command } from 'commander';
import { helpText } from 'imprimatur-terminal/help';
import { formatEther } from 'viem';
import { chainSigners } from '../../functions/domain/lane/signers.ts';
import type { ChainSettings } from '../../functions/domain/settings.ts';
import type { Environment } from '../../lib/environment/environment.ts';
import { FileInvalidError } from '../../lib/environment/read-json.ts';
import type { Account } from '../account/connect-account.ts';
import type { CommandResult, ToAccountAction } from '../deployment/command.ts';
import { namedEnvironment } from '../deployment/named-environment.ts';
import { forwardersOf } from '../deployment/served-chain.ts';
import type { StackView } from '../deployment/stack-outputs.ts';
import { operatorErrorLine } from '../error-line.ts';
import { CommandFailedError } from '../terminal/errors.ts';
import { checkCaller, failedCreation, unprotectCommand } from './doctor/account-checks.ts';

const description =
  'Delete a staging stack with its tables and its signing key. Refuses a stack that retains them or is protected. The output ' +
  'lists what remains, with the commands that remove it.';

const help = helpText({
  notes: `Prints progress to stderr. If the deletion is interrupted or fails, the same
command continues it.`,
  examples: ['admin teardown --env staging', 'admin teardown --env staging --yes'],
  exitCodes: {
    0: 'the stack is deleted',
    1: 'refused, or a resource cannot be deleted',
    2: 'wrong usage',
    3: 'nothing was deleted, because --yes is missing',
    130: 'interrupted',
  },
});

export function teardown(program: Command, toAccountAction: ToAccountAction): void {
  program
    .command('teardown')
    .description(description)
    .requiredOption('--env <name>', 'environment of the stack')
    .option('--yes', 'delete instead of only showing what would be deleted')
    .addHelpText('after', help)
    .action(toAccountAction(run));
}

interface Options {
  readonly env: string;
  readonly yes?: boolean;
}

async function run(account: Account, _isColored: boolean, options: Options): Promise<CommandResult> {
  return tearDown(account, environmentOf(account, options.env), options);
}

/** Deletes the stack of an environment, or only shows what it would delete. */
export async function tearDown(
  account: Account,
  environment: Environment,
  { env, yes = false }: Options,
): Promise<CommandResult> {
  const { stackName, removal } = account;
  const caller = (await checkCaller(account, environment)).filter(({ state }) => state !== 'ok');
  const stack = caller.length === 0 ? await account.stack() : undefined;
  const refusals = [
    ...retentionRefusals(environment, env),
    ...caller.map(({ message, todo }) => ({ reason: message, todo })),
    ...(stack ? stackRefusals(stack, stackName, env) : []),
  ];
  if (refusals.length > 0) return refused(stackName, refusals);
  const deletes = stack && { resources: await removal.countResources(), ...ownedBy(stack, environment) };
  const warnings = stack ? await coinWarnings(account) : [];
  if (stack && yes) await removal.deleteStack((line) => process.stderr.write(`${line}\n`));
  const deleted = !stack || yes;
  const remains = await findRemains(account, environment, deletes, deleted);
  return {
    json: { stackName, deleted, deletes: deletes ?? null, warnings, remains },
    text: [
      ...(deletes
        ? deletionLines(environment, deletes, deleted)
        : [`The stack ${stackName} does not exist.`]),
      ...warnings.map((warning) => `WARNING: ${warning}`),
      'What remains:',
      ...remains.map(({ what, command }) => `  ${what}${command === null ? '' : `: ${command}`}`),
    ].join('\n'),
    ...(deleted ? {} : { exitCode: 3 }),
  };
}

function environmentOf(account: Account, name: string): Environment {
  try {
    return namedEnvironment(account, name);
  } catch (error) {
    if (!(error instanceof FileInvalidError)) throw error;
    throw new CommandFailedError(error.problems.join('; '), { cause: error });
  }
}

interface Refusal {
  readonly reason: string;
  readonly todo: string | null;
}

function retentionRefusals({ retention }: Environment, env: string): Refusal[] {
  const retained = (['tables', 'key'] as const).filter((name) => retention[name] === 'retain');
  const todo = `In environments/${env}.json, set it to "delete" and deletionProtection to false, and deploy.`;
  return retained.map((name) => ({ reason: `the environment has retention.${name} "retain"`, todo }));
}

function stackRefusals({ status, ...stack }: StackView, stackName: string, env: string): Refusal[] {
  const deploy = `Set deletionProtection to false in environments/${env}.json, and deploy.`;
  const isFailed = failedCreation.test(status);
  const refusals = [
    stack.isProtected && {
      reason: 'the stack has termination protection',
      todo: isFailed ? `Run ${unprotectCommand(stackName)}` : deploy,
    },
    stack.protection === 'on' && !isFailed && { reason: "the stack's Protection is on", todo: deploy },
    /^(?!DELETE_|REVIEW_).*_IN_PROGRESS$/.test(status) && {
      reason: `the stack is ${status}`,
      todo: 'Wait for the deployment, then run teardown again.',
    },
  ];
  return refusals.filter((refusal) => refusal !== false);
}

function refused(stackName: string, refusals: readonly Refusal[]): CommandResult {
  return {
    json: { stackName, deleted: false, refusals },
    text: refusals
      .map(({ reason, todo }) => `refused: ${reason}${todo === null ? '' : ` -> ${todo}`}`)
      .join('\n'),
    exitCode: 1,
  };
}

/** The tables and the key of the stack, without the existing ones that it uses. */
function ownedBy({ outputs }: StackView, { settings: { existing } }: Environment) {
  const others: readonly unknown[] = Object.values(existing?.tables ?? {});
  const tables = Object.entries(outputs)
    .filter(([output, name]) => output.endsWith('Table') && !others.includes(name))
    .map(([, name = '']) => name);
  return { tables, signingKey: existing?.signingKeyArn ? null : (outputs.SigningKeyId ?? null) };
}

type Owned = ReturnType<typeof ownedBy>;

function deletionLines(
  { stackName, account, region }: Environment,
  { resources, tables, signingKey }: Owned & { readonly resources: number },
  deleted: boolean,
): string[] {
  return [
    deleted ? 'Deleted:' : 'Nothing was deleted. Pass --yes to permanently delete:',
    `  the stack ${stackName} in ${account}, ${region}, with ${resources} resources`,
    ...tables.map((name) => `  the table ${name}`),
    ...(signingKey === null ? [] : [`  the signing key ${signingKey}, after its waiting period`]),
  ];
}

/** Reports what signing addresses have on the chains, or why it is unknown. */
async function coinWarnings(account: Account): Promise<string[]> {
  const unknown = (where: string) => (error: unknown) => [
    `the balances${where} are unknown: ${operatorErrorLine(error, account.target)}`,
  ];
  try {
    const services = await (await account.deployment()).services();
    const ofChain = async ({ chainId, name }: ChainSettings) => {
      const signers = await chainSigners(services, chainId);
      const chain = services.chain(chainId);
      const balances = await Promise.all(signers.map(({ address }) => chain.balance(address)));
      return signers.flatMap(({ address }, index) =>
        balances[index]
          ? [
              `${address} has ${formatEther(balances[index])} of the coin of chain ${chainId} (${name}), lost with its key`,
            ]
          : [],
      );
    };
    const { chains } = services.settings;
    const found = chains.map((chain) => ofChain(chain).catch(unknown(` on chain ${chain.chainId}`)));
    return (await Promise.all(found)).flat();
  } catch (error) {
    return unknown('')(error);
  }
}

interface Remain {
  readonly what: string;
  /** Removes it, or cancels the deletion of the stack's key; `null`: it cannot be removed. */
  readonly command: string | null;
}

async function findRemains(
  account: Account,
  { settings }: Environment,
  owned: Owned | undefined,
  isGone: boolean,
): Promise<Remain[]> {
  const { removal, stackName } = account;
  const [parameters, keys, kept] = await Promise.all([
    removal.parameters(),
    removal.signerKeys(),
    owned && isGone ? keptTables(account, owned.tables) : [],
  ]);
  const own = isGone ? [] : [`/${stackName}/settings`, `/${stackName}/signing-key-policy`];
  const tables = [...kept, ...Object.values(settings.existing?.tables ?? {})];
  const { signingKeyArn } = settings.existing ?? {};
  return [
    ...parameters
      .filter((name) => !own.includes(name))
      .map((name) => ({ what: `SSM parameter ${name}`, command: `aws ssm delete-parameter --name ${name}` })),
    ...tables.map((name) => ({
      what: `table ${name}`,
      command: `aws dynamodb delete-table --table-name ${name}`,
    })),
    ...keys.map(({ alias, keyId }) => ({
      what: `signing key ${alias}`,
      command: `aws kms delete-alias --alias-name ${alias} && aws kms schedule-key-deletion --key-id ${keyId}`,
    })),
    ...(signingKeyArn
      ? [{ what: `signing key ${signingKeyArn}`, command: scheduleCommand(signingKeyArn) }]
      : []),
    ...(owned?.signingKey ? [await stackKey(account, owned.signingKey, isGone)] : []),
    ...settings.chains.map((chain) => ({ what: contractsText(chain), command: null })),
  ];
}

const scheduleCommand = (keyId: string) => `aws kms schedule-key-deletion --key-id ${keyId}`;

/** Tables that the deployed stack retained, contrary to the file. */
async function keptTables(account: Account, names: readonly string[]): Promise<string[]> {
  const statuses = await Promise.all(
    names.map((name) =>
      account.table(name).then(
        ({ status }) => status,
        (error: unknown) => {
          if (error instanceof Error && error.name.endsWith('NotFoundException')) return 'DELETING';
          throw error;
        },
      ),
    ),
  );
  return names.filter((_, index) => statuses[index] !== 'DELETING');
}

async function stackKey(account: Account, keyId: string, isGone: boolean): Promise<Remain> {
  if (isGone && (await account.keyState(keyId)) !== 'PendingDeletion')
    return { what: `signing key ${keyId}`, command: scheduleCommand(keyId) };
  return {
    what: `signing key ${keyId} for 30 days, and this command keeps it`,
    command: `aws kms cancel-key-deletion --key-id ${keyId}`,
  };
}

function contractsText(chain: ChainSettings): string {
  const forwarders = forwardersOf(chain).map((forwarder) => `, forwarder ${forwarder}`);
  return `on chain ${chain.chainId} (${chain.name}), permanently: registry ${chain.registryAddress}${forwarders.join('')}`;
}
