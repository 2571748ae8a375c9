import type { Command } from 'commander';
import { fieldList, table } from 'imprimatur-terminal/text';
import { v7 as uuidv7 } from 'uuid';
import type { Address } from 'viem';
import { auditTrail } from '../../../functions/domain/organization/audit-trail.ts';
import {
  createOrganization,
  listOrganizations,
} from '../../../functions/domain/organization/organization.ts';
import { orgArgument, parseAddress, parseChainId, parseName } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer, Deployment } from '../../deployment/command.ts';
import { auditedRecords, namedOrganization } from '../../deployment/organizations.ts';
import { offeredChain } from '../../deployment/served-chain.ts';

export function orgCreate(group: Command, act: Act): void {
  group
    .command('create')
    .description(
      'Create an organisation. Its authority is fixed, and no other organisation may have the same.',
    )
    .requiredOption('--name <name>', 'for people; need not be unique', parseName)
    .requiredOption('--authority <address>', 'the address its attestations are attributed to', parseAddress)
    .option('--default-chain <id>', 'the chain of requests that name none', parseChainId)
    .action(act(create));
}

interface Options {
  readonly name: string;
  readonly authority: Address;
  readonly defaultChain?: number;
}

async function create(
  deployment: Deployment,
  { name, authority, defaultChain }: Options,
): Promise<CommandAnswer> {
  if (defaultChain !== undefined) await offeredChain(deployment, defaultChain);
  const now = deployment.now();
  const id = uuidv7({ msecs: now.getTime() });
  const details = { name, authorityAddress: authority, defaultChainId: defaultChain ?? null };
  const records = auditedRecords(deployment, 'org create', () => ({ organizationId: id, details }));
  await createOrganization(records, { id, ...details, createdAt: now.toISOString() });
  const fields = { id, name, authority, 'default chain': defaultChain ?? null };
  const next = `Next: key create --org ${id}, and delegation status --org ${id} --chain ID`;
  return { json: { id, ...details }, text: `${fieldList(fields)}\n${next}` };
}

export function orgList(group: Command, act: Act): void {
  group.command('list').description('List the organisations, oldest first.').action(act(list));
}

async function list({ records }: Deployment): Promise<CommandAnswer> {
  const organizations = await listOrganizations(records);
  if (organizations.length === 0)
    return { json: { organizations }, text: 'There is no organisation yet; org create makes one.' };
  const rows = organizations.map(({ id, name, authorityAddress, defaultChainId, createdAt }) => [
    ...[id, name, authorityAddress, defaultChainId, createdAt],
  ]);
  return {
    json: { organizations },
    text: table(['ID', 'NAME', 'AUTHORITY', 'DEFAULT CHAIN', 'CREATED'], rows),
  };
}

export function auditList(group: Command, act: Act): void {
  group
    .command('list')
    .description(
      'List what operators did to an organisation, its keys and its stored content, oldest first: who, what and when.',
    )
    .argument(...orgArgument)
    .action(act(audit));
}

async function audit({ records }: Deployment, org: string): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(records, org);
  const entries = await auditTrail(records, organizationId);
  const rows = entries.map(({ at, by, action, details }) => [at, by, action, JSON.stringify(details)]);
  return { json: { organizationId, entries }, text: table(['WHEN', 'WHO', 'WHAT', 'DETAILS'], rows) };
}
