import type { Command } from 'commander';
import { fieldList, table } from 'imprimatur-terminal/text';
import { v7 as uuidv7 } from 'uuid';
import { type Address, formatEther } from 'viem';
import { readUsage, sumUsage, type Usage } from '../../functions/domain/operator/read-usage.ts';
import { listApiKeys } from '../../functions/domain/organization/api-keys.ts';
import { auditTrail } from '../../functions/domain/organization/audit-trail.ts';
import { feeBudget } from '../../functions/domain/organization/fee-usage.ts';
import {
  createOrganization,
  listOrganizations,
  type Organization,
  type OrganizationLimits,
} from '../../functions/domain/organization/organization.ts';
import {
  type OrganizationChange,
  updateOrganization,
} from '../../functions/domain/organization/update-organization.ts';
import type { Settings } from '../../functions/domain/settings.ts';
import {
  type FeeBudgets,
  orgArgument,
  parseAddress,
  parseChainId,
  parseDefaultChain,
  parseFeeBudget,
  parseLimit,
  parseName,
} from '../deployment/arguments.ts';
import type { CommandResult, Deployment, ToAction } from '../deployment/command.ts';
import { auditedRecords, namedOrganization } from '../deployment/organizations.ts';
import { servedChain } from '../deployment/served-chain.ts';
import { UsageInvalidError } from '../terminal/errors.ts';
import { type ChainDelegation, readDelegations } from './delegation/read-delegation.ts';
import { stateOf } from './key.ts';

const nameHelp = 'display name, which need not be unique';
const defaultChainHelp = 'chain of requests that do not specify one';

export function orgCommands(group: Command, toAction: ToAction): void {
  group
    .command('create')
    .description('Create an organization.')
    .requiredOption('--name <name>', nameHelp, parseName)
    .requiredOption(
      '--authority <address>',
      'address to which attestations are attributed; unique, cannot be changed',
      parseAddress,
    )
    .option('--default-chain <id>', defaultChainHelp, parseChainId)
    .action(toAction(createOrg));
  group.command('list').description('List the organizations, oldest first.').action(toAction(list));
  group
    .command('show')
    .description("Show an organization's limits, today's usage, API keys, and delegations.")
    .argument(...orgArgument)
    .action(toAction(show));
  group
    .command('update')
    .description(updateDescription)
    .argument(...orgArgument)
    .option('--name <name>', nameHelp, parseName)
    .option('--default-chain <id>', `${defaultChainHelp}, or \`none\``, parseDefaultChain)
    .option('--attestations-per-day <n>', 'attestations per UTC day, or `default`', parseLimit)
    .option('--links-per-day <n>', 'child links per UTC day, or `default`', parseLimit)
    .option('--in-flight <n>', 'attestations neither confirmed nor failed, or `default`', parseLimit)
    .option('--requests-per-minute <n>', 'requests per minute, or `default`', parseLimit)
    .option('--key-requests-per-minute <n>', 'requests per minute of an API key, or `default`', parseLimit)
    .option(
      '--fee-budget <chain=coins>',
      'fees per UTC day on a chain in its native coin, or `default`; repeatable',
      parseFeeBudget,
    )
    .action((org: string, options: UpdateOptions) => {
      if (Object.keys(options).length === 0)
        throw new UsageInvalidError('nothing to change; run with --help to list the options');
      return toAction(update)(org, options);
    });
}

interface CreateOptions {
  readonly name: string;
  readonly authority: Address;
  readonly defaultChain?: number;
}

export async function createOrg(
  deployment: Deployment,
  { name, authority, defaultChain }: CreateOptions,
): Promise<CommandResult> {
  if (defaultChain !== undefined) await servedChain(deployment, defaultChain);
  const now = deployment.now();
  const id = uuidv7({ msecs: now.getTime() });
  const details = { name, authorityAddress: authority, defaultChainId: defaultChain ?? null };
  const records = auditedRecords(deployment, 'org create', () => ({ organizationId: id, details }));
  await createOrganization(records, { id, ...details, createdAt: now.toISOString() });
  const fields = { id, name, authority, 'default chain': defaultChain ?? null };
  const next = `Next, run key create --org ${id} and delegation status --org ${id} --chain ${defaultChain ?? 'ID'}.`;
  return { json: { id, ...details }, text: `${fieldList(fields)}\n${next}` };
}

async function list({ records }: Deployment): Promise<CommandResult> {
  const organizations = await listOrganizations(records);
  if (organizations.length === 0)
    return { json: { organizations }, text: 'There are no organizations. Run org create to add one.' };
  const rows = organizations.map(({ id, name, authorityAddress, defaultChainId, createdAt }) => [
    ...[id, name, authorityAddress, defaultChainId, createdAt],
  ]);
  return {
    json: { organizations },
    text: table(['ID', 'NAME', 'AUTHORITY', 'DEFAULT CHAIN', 'CREATED'], rows),
  };
}

export function auditList(group: Command, toAction: ToAction): void {
  group
    .command('list')
    .description("List operators' changes to an organization, its keys, webhooks, and content, oldest first.")
    .argument(...orgArgument)
    .action(toAction(audit));
}

async function audit({ records }: Deployment, org: string): Promise<CommandResult> {
  const { id: organizationId } = await namedOrganization(records, org);
  const entries = await auditTrail(records, organizationId);
  const rows = entries.map(({ at, by, action, details }) => [at, by, action, JSON.stringify(details)]);
  return { json: { organizationId, entries }, text: table(['WHEN', 'WHO', 'WHAT', 'DETAILS'], rows) };
}

async function show(deployment: Deployment, org: string): Promise<CommandResult> {
  const organization = await namedOrganization(deployment.records, org);
  const { id, name, authorityAddress, defaultChainId, createdAt } = organization;
  const [settings, keys, delegations] = await Promise.all([
    deployment.settings(),
    countKeys(deployment, id),
    readDelegations(deployment, authorityAddress),
  ]);
  const limits = limitsInForce(organization, settings);
  const chainIds = settings.chains.map(({ chainId }) => chainId);
  const usage = await readUsage(deployment.records, [id], chainIds, [deployment.now().toISOString()]);
  const today = usageFields(sumUsage(usage.flat()));
  const fields = {
    ...{ id, name, authority: authorityAddress, created: createdAt },
    'default chain': defaultChainText(organization, settings),
    ...limitFields(limits),
    'used today': usageText(today),
    keys: `${keys.active} active, ${keys.expired} expired, ${keys.revoked} revoked`,
  };
  return {
    json: { id, name, authorityAddress, defaultChainId, createdAt, limits, today, keys, delegations },
    text: `${fieldList(fields)}\n\n${delegationTable(delegations)}`,
  };
}

async function countKeys({ records, now }: Deployment, id: string) {
  const states = (await listApiKeys(records, id)).map((key) => stateOf(key, now()));
  const count = (state: (typeof states)[number]) => states.filter((other) => other === state).length;
  return { active: count('active'), expired: count('expired'), revoked: count('revoked') };
}

function defaultChainText({ defaultChainId }: Organization, settings: Settings): string | null {
  if (defaultChainId !== null) return String(defaultChainId);
  return settings.defaultChainId === undefined ? null : `${settings.defaultChainId} (the deployment's)`;
}

function delegationTable(delegations: readonly ChainDelegation[]): string {
  const rows = delegations.map(
    ({ chainId, name, active, delegateAddress, expectedDelegateAddress, error }) => [
      `${chainId} (${name})`,
      active === null ? 'unknown' : active ? 'active' : 'not active',
      error ?? delegateAddress ?? 'nobody',
      expectedDelegateAddress,
    ],
  );
  return table(['CHAIN', 'DELEGATION', 'DELEGATES TO', 'SHOULD BE'], rows);
}

interface UpdateOptions extends Partial<Record<CountLimit, number | 'default'>> {
  readonly name?: string;
  readonly defaultChain?: number | 'none';
  readonly feeBudget?: FeeBudgets;
}

const updateDescription =
  'Change an organization. Changes apply from the next request. To complete an interrupted update, run it again.';

async function update(deployment: Deployment, org: string, options: UpdateOptions): Promise<CommandResult> {
  if (typeof options.defaultChain === 'number') await servedChain(deployment, options.defaultChain);
  for (const chainId of Object.keys(options.feeBudget ?? {})) await servedChain(deployment, Number(chainId));
  const former = await namedOrganization(deployment.records, org);
  // The audit entry has only the options of the command.
  const details = { ...options };
  const records = auditedRecords(deployment, 'org update', () => ({ organizationId: former.id, details }));
  const organization = await updateOrganization(records, former.id, changeOf(former, options));
  const limits = limitsInForce(organization, await deployment.settings());
  const { id, name, authorityAddress, defaultChainId, createdAt } = organization;
  const fields = { id, name, authority: authorityAddress, 'default chain': defaultChainId };
  return {
    json: { id, name, authorityAddress, defaultChainId, createdAt, limits },
    text: fieldList({ ...fields, ...limitFields(limits) }),
  };
}

function changeOf({ limits = {} }: Organization, options: UpdateOptions): OrganizationChange {
  const { name, defaultChain, feeBudget, ...changes } = options;
  const isLimited = feeBudget !== undefined || Object.keys(changes).length > 0;
  return {
    ...(name === undefined ? {} : { name }),
    ...(defaultChain === undefined ? {} : { defaultChainId: defaultChain === 'none' ? null : defaultChain }),
    ...(isLimited ? { limits: mergedLimits(limits, changes, feeBudget) } : {}),
  };
}

type Changes = Readonly<Record<string, number | 'default'>>;

function mergedLimits(
  { feeBudgets: formerBudgets = {}, ...former }: OrganizationLimits,
  changes: Changes,
  budgetChanges: Changes = {},
): OrganizationLimits {
  const feeBudgets = merge(formerBudgets, budgetChanges);
  const hasBudgets = Object.keys(feeBudgets).length > 0;
  return { ...merge(former, changes), ...(hasBudgets ? { feeBudgets } : {}) };
}

/** `default` removes a limit. Other limits stay. */
function merge(former: Readonly<Record<string, number>>, changes: Changes): Record<string, number> {
  const entries = Object.entries({ ...former, ...changes });
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => entry[1] !== 'default'));
}

interface LimitInForce {
  readonly value: number;
  readonly from: 'organization' | 'settings';
}

type LimitsInForce = ReturnType<typeof limitsInForce>;

const countLimits = {
  attestationsPerDay: 'attestations per day',
  linksPerDay: 'links per day',
  inFlight: 'in flight',
  requestsPerMinute: 'requests per minute',
  keyRequestsPerMinute: 'requests per minute of a key',
} as const;
type CountLimit = keyof typeof countLimits;
const countNames = Object.keys(countLimits) as CountLimit[];

function limitsInForce({ limits = {} }: Organization, settings: Settings) {
  const general = { ...settings.limits, ...settings.rate };
  const counts = countNames.map((name) => [name, limitInForce(limits[name], general[name])] as const);
  const budgets = settings.chains.map((chain) => {
    const coins = Number(formatEther(feeBudget(chain, {})));
    return [String(chain.chainId), limitInForce(limits.feeBudgets?.[chain.chainId], coins)] as const;
  });
  return {
    ...(Object.fromEntries(counts) as Record<CountLimit, LimitInForce>),
    /** By chain ID, in each chain's own coin. */
    feeBudgets: Object.fromEntries(budgets),
  };
}

function limitInForce(limit: number | undefined, general: number): LimitInForce {
  return limit === undefined ? { value: general, from: 'settings' } : { value: limit, from: 'organization' };
}

function limitFields({ feeBudgets, ...limits }: LimitsInForce): Record<string, string> {
  const counts = countNames.map((name) => [countLimits[name], limitText(limits[name])]);
  const budgets = Object.entries(feeBudgets).map(([chainId, budget]) => [
    ...[`fees per day on ${chainId}`, limitText(budget)],
  ]);
  return Object.fromEntries([...counts, ...budgets]);
}

function limitText({ value, from }: LimitInForce): string {
  return `${value} (${from === 'settings' ? 'default of the settings' : 'for this organization'})`;
}

function usageFields({ accepted: attestations, links, fees }: Usage) {
  const coins = Object.entries(fees).map(([chainId, wei]) => [chainId, formatEther(wei)] as const);
  return { attestations, links, fees: Object.fromEntries(coins) };
}

function usageText({ attestations, links, fees }: ReturnType<typeof usageFields>): string {
  const paid = Object.entries(fees).map(([chainId, coins]) => `${coins} on ${chainId}`);
  return `${attestations} attestations, ${links} links, fees: ${paid.join(', ')}`;
}
