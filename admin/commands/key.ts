import { type Command, Option } from 'commander';
import { fieldList, table } from 'imprimatur-terminal/text';
import {
  type ApiKey,
  type ApiKeyMode,
  apiKeyHash,
  createApiKey,
  isApiKey,
  isExpired,
  listApiKeys,
  revokeApiKey,
} from '../../functions/domain/organization/api-keys.ts';
import {
  type AuditEntry,
  apiKeySubject,
  auditTrail,
} from '../../functions/domain/organization/audit-trail.ts';
import { type Expiry, orgOption, parseExpiry } from '../deployment/arguments.ts';
import type { CommandResult, Deployment, ToAction } from '../deployment/command.ts';
import { auditedRecords, namedOrganization } from '../deployment/organizations.ts';
import { UsageInvalidError } from '../terminal/errors.ts';

export function keyCommands(group: Command, toAction: ToAction): void {
  group
    .command('create')
    .description('Issue an API key and print it once; it is not stored.')
    .requiredOption(...orgOption)
    .addOption(
      new Option('--mode <mode>', 'test keys attest only on test chains')
        .choices(['live', 'test'])
        .default('live'),
    )
    .option('--read-only', 'key that may read, but neither attest nor link')
    .option('--expires <when>', 'expiry as 90d or 2027-01-31 (default: never)', parseExpiry)
    .action(toAction(issueKey));
  group
    .command('list')
    .description("List an organization's API keys, and who issued and revoked them.")
    .requiredOption(...orgOption)
    .action(toAction(list));
  group
    .command('revoke')
    .description('Permanently revoke an API key, from the next request. Idempotent.')
    .argument('<keyId>', 'key ID, or the key itself', parseKeyId)
    .action(toAction(revoke));
}

interface Options {
  readonly org: string;
  readonly mode: ApiKeyMode;
  readonly expires?: Expiry;
  readonly readOnly?: true;
  /** Key to issue instead of a new one. Only `setup` passes it. */
  readonly key?: string;
}

export async function issueKey(
  deployment: Deployment,
  { org, mode, expires, readOnly, key: given }: Options,
): Promise<CommandResult> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const now = deployment.now();
  const expiry = expires === undefined ? {} : { expiresAt: expires(now).toISOString() };
  if (expiry.expiresAt !== undefined && isExpired(expiry, now))
    throw new UsageInvalidError(`--expires is in the past: ${expiry.expiresAt}`);
  const details = { mode, ...expiry, ...(readOnly && { readOnly }) };
  const records = auditedRecords(deployment, 'key create', (changes) => apiKeySubject(changes, details));
  const request = { organizationId, ...details, now, ...(given !== undefined && { key: given }) };
  const { revokedAt: _, ...issued } = await createApiKey(records, request);
  const { id, key } = issued;
  const notice = 'Save the key now: it is not stored and cannot be shown again.';
  const fields = {
    ...{ key, id, organization: organizationId, mode, scope: scopeOf(issued) },
    expires: expiry.expiresAt ?? 'never',
  };
  return { json: issued, text: `${fieldList(fields)}\n${notice}` };
}

async function list({ records, now }: Deployment, { org }: Options): Promise<CommandResult> {
  const { id: organizationId } = await namedOrganization(records, org);
  const stored = await listApiKeys(records, organizationId);
  const trail = await auditTrail(records, organizationId);
  const keys = stored
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    .map((key) => withOperators(key, trail));
  if (keys.length === 0)
    return {
      json: { keys },
      text: `There are no keys. Run key create --org ${organizationId} to issue one.`,
    };
  const rows = keys.map((key) => [
    ...[key.id, key.mode, scopeOf(key), stateOf(key, now())],
    ...[key.createdAt, key.createdBy, key.expiresAt ?? 'never', key.revokedAt, key.revokedBy],
  ]);
  const headings = [
    'ID',
    'MODE',
    'SCOPE',
    'STATE',
    'CREATED',
    'CREATED BY',
    'EXPIRES',
    'REVOKED',
    'REVOKED BY',
  ];
  return { json: { keys }, text: table(headings, rows) };
}

const scopeOf = ({ readOnly }: Pick<ApiKey, 'readOnly'>): string => (readOnly ? 'read' : 'read and attest');

export function stateOf(key: ApiKey, now: Date): 'active' | 'expired' | 'revoked' {
  if (key.revokedAt !== null) return 'revoked';
  return isExpired(key, now) ? 'expired' : 'active';
}

/** A key with its creator and revoker; `null` if the trail does not have them. */
function withOperators(key: ApiKey, trail: readonly AuditEntry[]) {
  const by = (action: AuditEntry['action']): string | null =>
    trail.find((entry) => entry.action === action && entry.details.keyId === key.id)?.by ?? null;
  return { ...key, createdBy: by('key create'), revokedBy: by('key revoke') };
}

/** Accepts an id or a key, because a leaked key has no known id. Errors omit the text, which may be a mistyped key. */
function parseKeyId(text: string): string {
  if (isApiKey(text)) return apiKeyHash(text).slice(0, 32);
  if (/^[\da-f]{32}$/i.test(text)) return text.toLowerCase();
  throw new UsageInvalidError(
    'KEYID must be 32 hexadecimal digits or a complete key; run key list --org ID to see the IDs',
  );
}

async function revoke(deployment: Deployment, keyId: string): Promise<CommandResult> {
  const records = auditedRecords(deployment, 'key revoke', (changes) => apiKeySubject(changes));
  const { id, revokedAt } = await revokeApiKey(records, keyId, deployment.now());
  return { json: { id, revokedAt }, text: fieldList({ id, revoked: revokedAt }) };
}
