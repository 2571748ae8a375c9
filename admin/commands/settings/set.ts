import type { Command } from 'commander';
import { fieldList } from 'imprimatur-terminal/text';
import {
  SettingsChangesInvalidError,
  type StoredChanges,
} from '../../../functions/adapters/aws/ssm-settings-changes.ts';
import { connectRpc, hex } from '../../../functions/adapters/chain/rpc.ts';
import { providerTransport } from '../../../functions/adapters/chain/transport.ts';
import { deploymentTrail, recordAction } from '../../../functions/domain/organization/audit-trail.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';
import {
  addChanges,
  applyChanges,
  type ChangeableName,
  changeableNames,
  noChanges,
  type RequestedChanges,
} from '../../../functions/domain/settings-changes.ts';
import { chainOption, readUrls } from '../../deployment/arguments.ts';
import type { CommandResult, Deployment, ToAction } from '../../deployment/command.ts';
import { servedChain } from '../../deployment/served-chain.ts';
import { CommandFailedError, UsageInvalidError } from '../../terminal/errors.ts';

interface Options {
  readonly chain: number;
  readonly rpcUrls?: readonly string[];
  readonly replaceUnreadable?: boolean;
}

const description =
  "Change a chain's fee cap, budgets, or RPC URLs within a minute, without a deployment. Later deployments keep the " +
  'changes; `default` reverts to the deployed value.';

export function settingsSet(group: Command, toAction: ToAction): void {
  group
    .command('set')
    .description(description)
    .argument('[changes...]', `NAME=VALUE or NAME=default; names: ${changeableNames.join(', ')}`, withChange)
    .requiredOption(...chainOption)
    .option('--rpc-urls <file>', 'file with the new RPC URLs, one per line', readUrls('--rpc-urls'))
    .option('--replace-unreadable', 'discard stored changes that this version cannot read')
    .action((requested: RequestedChanges = {}, options: Options) => {
      if (Object.keys(requested).length === 0 && !options.rpcUrls)
        throw new UsageInvalidError(
          'nothing to change: pass NAME=VALUE or --rpc-urls; run with --help to list the names',
        );
      return toAction(set)(requested, options);
    });
}

/** Parses `NAME=VALUE`, and adds it to earlier ones. The settings' schema checks the value. */
function withChange(text: string, former: RequestedChanges = {}): RequestedChanges {
  const [, name = '', value = ''] = /^(\w+)=(default|\d{1,12}(?:\.\d{1,18})?)$/.exec(text) ?? [];
  if (!isChangeable(name))
    throw new UsageInvalidError(
      `${text} is not NAME=VALUE or NAME=default; the names are ${changeableNames.join(', ')}.`,
    );
  return { ...former, [name]: value === 'default' ? value : Number(value) };
}

const isChangeable = (name: string): name is ChangeableName =>
  (changeableNames as readonly string[]).includes(name);

async function set(
  deployment: Deployment,
  requested: RequestedChanges,
  { chain: chainId, rpcUrls: urls, replaceUnreadable = false }: Options,
): Promise<CommandResult> {
  const { settingsStore, records, operator: by, now } = deployment;
  const chain = await servedChain(deployment, chainId);
  const [deployed, stored] = await Promise.all([
    settingsStore.deployed(),
    storedChanges(settingsStore, replaceUnreadable),
  ]);
  const changes = addChanges(deployed, stored.changes, chainId, requested);
  const answering = urls && (await checkProviders(chain, urls));
  const details = { chainId, ...requested, ...(urls && { rpcUrls: urls.length }) };
  // Write the audit entry first. An entry without its change is better than a change without its entry.
  const act = { action: 'settings set', by, now: now() } as const;
  await recordAction(records, act, { organizationId: deploymentTrail, details });
  if (urls) await settingsStore.writeRpcUrls(chainId, urls);
  if (Object.keys(requested).length > 0) {
    const version = await settingsStore.writeChanges(changes);
    if (version !== stored.version + 1)
      throw new CommandFailedError(
        'another operator changed settings at the same time; check `settings show`, and set yours again if they are lost',
      );
  }
  const inForce = applyChanges(deployed, changes).chains.find((other) => other.chainId === chainId);
  const values = Object.fromEntries(
    Object.keys(requested).map((name) => [name, inForce?.[name as ChangeableName] ?? null]),
  );
  const rpcUrls = urls && `${urls.length}, ${answering} responding now`;
  return {
    json: { chainId, inForce: values, ...(urls && { rpcUrls: urls.length, answering }) },
    text: `${fieldList({ chain: chainId, ...values, ...(rpcUrls && { 'RPC URLs': rpcUrls }) })}\n\nThe change takes effect within a minute. To compare with the deployment, run settings show.`,
  };
}

/** Unreadable changes may come from a newer version, so only --replace-unreadable discards them. @throws SettingsChangesInvalidError */
async function storedChanges(
  settingsStore: Deployment['settingsStore'],
  replaceUnreadable: boolean,
): Promise<StoredChanges> {
  try {
    return await settingsStore.changes();
  } catch (error) {
    if (!(replaceUnreadable && error instanceof SettingsChangesInvalidError)) throw error;
    return { version: error.version, changes: noChanges };
  }
}

const timeoutMilliseconds = 6_000;

/**
 * Counts providers that answer.
 * @throws CommandFailedError if one serves another chain, or none answers; the message has no URL
 */
export async function checkProviders(chain: ChainSettings, urls: readonly string[]): Promise<number> {
  const failures = await Promise.all(urls.map((url) => failureOf(chain, url)));
  const wrong = failures.indexOf('ProviderChainError');
  const nameOf = (index: number) => `provider ${index + 1} of ${urls.length}`;
  if (wrong >= 0) throw new CommandFailedError(`${nameOf(wrong)} does not serve chain ${chain.chainId}`);
  const answering = failures.filter((failure) => failure === undefined).length;
  if (answering === 0)
    throw new CommandFailedError(`no provider responds for chain ${chain.chainId}; check the URLs`);
  return answering;
}

async function failureOf(chain: ChainSettings, url: string): Promise<string | undefined> {
  try {
    await connectRpc(providerTransport(url, chain, timeoutMilliseconds))('eth_blockNumber', [], hex);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.name : 'Error';
  }
}
