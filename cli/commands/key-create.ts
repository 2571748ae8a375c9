import { type Command, Option } from 'commander';
import type { ApiKeyMode } from '../../functions/domain/api-key.ts';
import { apiKeySubject } from '../../functions/domain/audit-trail.ts';
import { createApiKey } from '../../functions/domain/organization.ts';
import type { Act, Answer } from '../answer.ts';
import { parseUuid } from '../arguments.ts';
import { auditedRecords } from '../audited-records.ts';
import type { Desk } from '../desk.ts';
import { fieldList } from '../field-list.ts';

interface Options {
  readonly org: string;
  readonly mode: ApiKeyMode;
}

export function keyCreate(group: Command, act: Act): void {
  group
    .command('create')
    .description('Issue an API key and print it: this once, for it is not stored.')
    .requiredOption('--org <id>', 'the organisation', parseUuid)
    .addOption(new Option('--mode <mode>', 'a mark in the key').choices(['live', 'test']).default('live'))
    .action((options: Options) => act((desk) => create(desk, options)));
}

async function create(desk: Desk, { org: organizationId, mode }: Options): Promise<Answer> {
  const records = auditedRecords(desk, 'key create', (changes) => apiKeySubject(changes, { mode }));
  const { revokedAt: _, ...issued } = await createApiKey(records, {
    ...{ organizationId, mode },
    now: desk.now(),
  });
  const { id, key } = issued;
  const notice = 'Keep the key now: it is stored nowhere and cannot be shown again.';
  return { json: issued, text: `${fieldList({ key, id, organisation: organizationId, mode })}\n${notice}` };
}
