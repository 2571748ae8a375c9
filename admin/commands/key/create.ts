import { type Command, Option } from 'commander';
import { fieldList } from 'imprimatur-terminal/text';
import { type ApiKeyMode, createApiKey, isExpired } from '../../../functions/domain/organization/api-keys.ts';
import { apiKeySubject } from '../../../functions/domain/organization/audit-trail.ts';
import { type ExpiryOf, parseExpiry } from '../../deployment/arguments.ts';
import { auditedRecords } from '../../deployment/audited-records.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';
import { UsageInvalidError } from '../../terminal/errors.ts';

interface Options {
  readonly org: string;
  readonly mode: ApiKeyMode;
  readonly expires?: ExpiryOf;
}

export function keyCreate(group: Command, act: Act): void {
  group
    .command('create')
    .description('Issue an API key and print it: this once, for it is not stored.')
    .requiredOption('--org <org>', 'the id of the organisation, or its name if no other has the same')
    .addOption(
      new Option('--mode <mode>', 'test: attests on test chains alone; the key shows it')
        .choices(['live', 'test'])
        .default('live'),
    )
    .option(
      '--expires <when>',
      'from when on it is refused, as in 90d or 2027-01-31; without it, never',
      parseExpiry,
    )
    .action((options: Options) => act((deployment) => create(deployment, options)));
}

async function create(deployment: Deployment, { org, mode, expires }: Options): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const now = deployment.now();
  const expiry = expires === undefined ? {} : { expiresAt: expires(now).toISOString() };
  if (expiry.expiresAt !== undefined && isExpired(expiry, now))
    throw new UsageInvalidError(`--expires is in the past: ${expiry.expiresAt}`);
  const details = { mode, ...expiry };
  const records = auditedRecords(deployment, 'key create', (changes) => apiKeySubject(changes, details));
  const request = { organizationId, ...details, now };
  const { revokedAt: _, ...issued } = await createApiKey(records, request);
  const { id, key } = issued;
  const notice = 'Keep the key now: it is stored nowhere and cannot be shown again.';
  const fields = { key, id, organisation: organizationId, mode, expires: expiry.expiresAt ?? 'never' };
  return { json: issued, text: `${fieldList(fields)}\n${notice}` };
}
