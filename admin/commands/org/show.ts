import type { Command } from 'commander';
import { fieldList, table } from 'imprimatur-terminal/text';
import { listApiKeys } from '../../../functions/domain/organization/api-keys.ts';
import type { Organization } from '../../../functions/domain/organization/organization.ts';
import type { Settings } from '../../../functions/domain/settings.ts';
import { orgArgument } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer, Deployment } from '../../deployment/command.ts';
import { namedOrganization } from '../../deployment/organizations.ts';
import { type ChainDelegation, readDelegations } from '../delegation/read-delegation.ts';
import { stateOf } from '../key.ts';
import { limitFields, limitsInForce, readUsageToday, usageText } from './limits.ts';

export function orgShow(group: Command, act: Act): void {
  group
    .command('show')
    .description(
      'Show an organisation: its limits in force and what it used of them today, how many keys it has, and its delegation ' +
        'on every chain, live.',
    )
    .argument(...orgArgument)
    .action(act(show));
}

async function show(deployment: Deployment, org: string): Promise<CommandAnswer> {
  const organization = await namedOrganization(deployment.records, org);
  const { id, name, authorityAddress, defaultChainId, createdAt } = organization;
  const [settings, keys, delegations] = await Promise.all([
    deployment.settings(),
    countKeys(deployment, id),
    readDelegations(deployment, authorityAddress),
  ]);
  const limits = limitsInForce(organization, settings);
  const today = await readUsageToday(deployment, id, settings);
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
  const count = (state: (typeof states)[number]) => states.filter((one) => one === state).length;
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
