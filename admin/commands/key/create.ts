import { type Command, Option } from 'commander';
import { type ApiKeyMode, createApiKey } from '../../../functions/domain/organization/api-keys.ts';
import { apiKeySubject } from '../../../functions/domain/organization/audit-trail.ts';
import { auditedRecords } from '../../deployment/audited-records.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';
import { fieldList } from '../../terminal/text.ts';

interface Options {
  readonly org: string;
  readonly mode: ApiKeyMode;
}

export function keyCreate(group: Command, act: Act): void {
  group
    .command('create')
    .description('Issue an API key and print it: this once, for it is not stored.')
    .requiredOption('--org <org>', 'the id of the organisation, or its name if no other has the same')
    .addOption(new Option('--mode <mode>', 'a mark in the key').choices(['live', 'test']).default('live'))
    .action((options: Options) => act((deployment) => create(deployment, options)));
}

async function create(deployment: Deployment, { org, mode }: Options): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const records = auditedRecords(deployment, 'key create', (changes) => apiKeySubject(changes, { mode }));
  const { revokedAt: _, ...issued } = await createApiKey(records, {
    ...{ organizationId, mode },
    now: deployment.now(),
  });
  const { id, key } = issued;
  const notice = 'Keep the key now: it is stored nowhere and cannot be shown again.';
  return { json: issued, text: `${fieldList({ key, id, organisation: organizationId, mode })}\n${notice}` };
}
