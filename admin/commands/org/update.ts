import type { Command } from 'commander';
import { fieldList } from 'imprimatur-terminal/text';
import type {
  Organization,
  OrganizationLimits,
} from '../../../functions/domain/organization/organization.ts';
import {
  type OrganizationChange,
  updateOrganization,
} from '../../../functions/domain/organization/update-organization.ts';
import {
  type FeeBudgets,
  orgArgument,
  parseDefaultChain,
  parseFeeBudget,
  parseLimit,
  parseName,
} from '../../deployment/arguments.ts';
import type { Act, CommandAnswer, Deployment } from '../../deployment/command.ts';
import { auditedRecords, namedOrganization } from '../../deployment/organizations.ts';
import { offeredChain } from '../../deployment/served-chain.ts';
import { UsageInvalidError } from '../../terminal/errors.ts';
import { type CountLimit, limitFields, limitsInForce } from './limits.ts';

interface Options extends Partial<Record<CountLimit, number | 'default'>> {
  readonly name?: string;
  readonly defaultChain?: number | 'none';
  readonly feeBudget?: FeeBudgets;
}

const description =
  'Change an organisation, from the next request of each of its keys on. Its authority is fixed. Run again, it finishes ' +
  'what was broken off.';

export function orgUpdate(group: Command, act: Act): void {
  group
    .command('update')
    .description(description)
    .argument(...orgArgument)
    .option('--name <name>', 'for people; need not be unique', parseName)
    .option('--default-chain <id>', 'the chain of requests that name none, or none', parseDefaultChain)
    .option('--attestations-per-day <n>', 'accepted in a UTC day, or default', parseLimit)
    .option('--links-per-day <n>', 'child links accepted in a UTC day, or default', parseLimit)
    .option('--in-flight <n>', 'accepted and not confirmed or failed yet, or default', parseLimit)
    .option('--requests-per-minute <n>', 'requests in a minute, or default', parseLimit)
    .option('--key-requests-per-minute <n>', 'requests in a minute with one key, or default', parseLimit)
    .option(
      '--fee-budget <chain=coins>',
      "fees in a UTC day on a chain, in the chain's own coin, as in 8453=0.05 or 8453=default; may be repeated",
      parseFeeBudget,
    )
    .action((org: string, options: Options) => {
      if (Object.keys(options).length === 0)
        throw new UsageInvalidError('org update needs something to change; --help lists what can be');
      return act(update)(org, options);
    });
}

async function update(deployment: Deployment, org: string, options: Options): Promise<CommandAnswer> {
  if (typeof options.defaultChain === 'number') await offeredChain(deployment, options.defaultChain);
  for (const chainId of Object.keys(options.feeBudget ?? {})) await offeredChain(deployment, Number(chainId));
  const former = await namedOrganization(deployment.records, org);
  // The audit entry has what was asked for: of the limits, only those that the command names.
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

function changeOf({ limits = {} }: Organization, options: Options): OrganizationChange {
  const { name, defaultChain, feeBudget, ...asked } = options;
  const isLimited = feeBudget !== undefined || Object.keys(asked).length > 0;
  return {
    ...(name === undefined ? {} : { name }),
    ...(defaultChain === undefined ? {} : { defaultChainId: defaultChain === 'none' ? null : defaultChain }),
    ...(isLimited ? { limits: mergedLimits(limits, asked, feeBudget) } : {}),
  };
}

type Asked = Readonly<Record<string, number | 'default'>>;

function mergedLimits(
  { feeBudgets: formerBudgets = {}, ...former }: OrganizationLimits,
  asked: Asked,
  askedBudgets: Asked = {},
): OrganizationLimits {
  const feeBudgets = merged(formerBudgets, askedBudgets);
  const hasBudgets = Object.keys(feeBudgets).length > 0;
  return { ...merged(former, asked), ...(hasBudgets ? { feeBudgets } : {}) };
}

/** `default` removes a limit. A limit that the command does not name stays. */
function merged(former: Readonly<Record<string, number>>, asked: Asked): Record<string, number> {
  const both = Object.entries({ ...former, ...asked });
  return Object.fromEntries(both.filter((entry): entry is [string, number] => entry[1] !== 'default'));
}
