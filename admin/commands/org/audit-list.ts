import type { Command } from 'commander';
import { table } from 'imprimatur-terminal/text';
import { auditTrail } from '../../../functions/domain/organization/audit-trail.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';

export function auditList(group: Command, act: Act): void {
  group
    .command('list')
    .description(
      'List what operators did to an organisation, its keys and its stored content, oldest first: who, what and when.',
    )
    .argument('<org>', 'its id, or its name if no other has the same')
    .action((org: string) => act((deployment) => list(deployment, org)));
}

async function list({ records }: Deployment, org: string): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(records, org);
  const entries = await auditTrail(records, organizationId);
  const rows = entries.map(({ at, by, action, details }) => [at, by, action, JSON.stringify(details)]);
  const text =
    rows.length === 0
      ? 'Nothing was done to it since there is a trail.'
      : table(['WHEN', 'WHO', 'WHAT', 'DETAILS'], rows);
  return { json: { organizationId, entries }, text };
}
