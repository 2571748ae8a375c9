import type { Command } from 'commander';
import { listApiKeys } from '../../functions/domain/organization.ts';
import type { Act, Answer } from '../answer.ts';
import { parseUuid } from '../arguments.ts';
import type { Desk } from '../desk.ts';
import { table } from '../table.ts';

export function keyList(group: Command, act: Act): void {
  group
    .command('list')
    .description("List an organisation's API keys, revoked ones too. The keys themselves are not stored.")
    .requiredOption('--org <id>', 'the organisation', parseUuid)
    .action(({ org }: { org: string }) => act((desk) => list(desk, org)));
}

async function list({ records }: Desk, organizationId: string): Promise<Answer> {
  const stored = await listApiKeys(records, organizationId);
  const keys = stored.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  const rows = keys.map(({ id, mode, createdAt, revokedAt }) => [id, mode, createdAt, revokedAt]);
  const text =
    rows.length === 0
      ? `There is no key yet; key create --org ${organizationId} issues one.`
      : table(['ID', 'MODE', 'CREATED', 'REVOKED'], rows);
  return { json: { keys }, text };
}
