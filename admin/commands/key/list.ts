import type { Command } from 'commander';
import { table } from 'imprimatur-terminal/text';
import { type ApiKey, isExpired, listApiKeys } from '../../../functions/domain/organization/api-keys.ts';
import { type AuditEntry, auditTrail } from '../../../functions/domain/organization/audit-trail.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';

export function keyList(group: Command, act: Act): void {
  group
    .command('list')
    .description(
      "List an organisation's API keys, revoked ones too, and who issued and revoked them. The keys themselves are not stored.",
    )
    .requiredOption('--org <org>', 'the id of the organisation, or its name if no other has the same')
    .action(({ org }: { org: string }) => act((deployment) => list(deployment, org)));
}

async function list({ records, now }: Deployment, org: string): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(records, org);
  const stored = await listApiKeys(records, organizationId);
  const trail = await auditTrail(records, organizationId);
  const keys = stored
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    .map((key) => withOperators(key, trail));
  const rows = keys.map((key) => [
    ...[key.id, key.mode, stateOf(key, now())],
    ...[key.createdAt, key.createdBy, key.expiresAt ?? 'never', key.revokedAt, key.revokedBy],
  ]);
  const headings = ['ID', 'MODE', 'STATE', 'CREATED', 'CREATED BY', 'EXPIRES', 'REVOKED', 'REVOKED BY'];
  const text =
    rows.length === 0
      ? `There is no key yet; key create --org ${organizationId} issues one.`
      : table(headings, rows);
  return { json: { keys }, text };
}

/** The state of a key now. A revoked one stays so. */
export function stateOf(key: ApiKey, now: Date): 'active' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return isExpired(key, now) ? 'expired' : 'active';
}

/**
 * The keys with who created and revoked each; `null` for a change that this command did not make, or that is older than
 * the audit trail.
 */
function withOperators(key: ApiKey, trail: readonly AuditEntry[]) {
  const by = (action: AuditEntry['action']): string | null =>
    trail.find((entry) => entry.action === action && entry.details.keyId === key.id)?.by ?? null;
  return { ...key, createdBy: by('key create'), revokedBy: by('key revoke') };
}
