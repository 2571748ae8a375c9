import type { Command } from 'commander';
import { table } from 'imprimatur-terminal/text';
import { listOrganizations } from '../../../functions/domain/organization/organization.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';

export function orgList(group: Command, act: Act): void {
  group
    .command('list')
    .description('List the organisations, oldest first.')
    .action(() => act(list));
}

async function list({ records }: Deployment): Promise<CommandAnswer> {
  const organizations = await listOrganizations(records);
  const rows = organizations.map(({ id, name, authorityAddress, defaultChainId, createdAt }) => [
    ...[id, name, authorityAddress, defaultChainId, createdAt],
  ]);
  const text =
    rows.length === 0
      ? 'There is no organisation yet; org create makes one.'
      : table(['ID', 'NAME', 'AUTHORITY', 'DEFAULT CHAIN', 'CREATED'], rows);
  return { json: { organizations }, text };
}
