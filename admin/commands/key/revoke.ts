import type { Command } from 'commander';
import { fieldList } from 'imprimatur-terminal/text';
import { apiKeyHash, isApiKey, revokeApiKey } from '../../../functions/domain/organization/api-keys.ts';
import { apiKeySubject } from '../../../functions/domain/organization/audit-trail.ts';
import { auditedRecords } from '../../deployment/audited-records.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { UsageInvalidError } from '../../terminal/errors.ts';

export function keyRevoke(group: Command, act: Act): void {
  group
    .command('revoke')
    .description('Revoke an API key for good, from the next request on. Revoking it again changes nothing.')
    .argument('<keyId>', 'its id, or the key itself if that is all you have of it')
    .action((text: string) => {
      const keyId = keyIdOf(text);
      return act((deployment) => revoke(deployment, keyId));
    });
}

/**
 * Accepts a key as well as an id: a person who finds a leaked key has no id.
 * @throws UsageInvalidError that does not repeat the text, which may be a mistyped key.
 */
function keyIdOf(text: string): string {
  if (isApiKey(text)) return apiKeyHash(text).slice(0, 32);
  if (/^[\da-f]{32}$/i.test(text)) return text.toLowerCase();
  throw new UsageInvalidError(
    'KEYID must be 32 hexadecimal digits, as key list --org ID shows it, or a whole key',
  );
}

async function revoke(deployment: Deployment, keyId: string): Promise<CommandAnswer> {
  const records = auditedRecords(deployment, 'key revoke', (changes) => apiKeySubject(changes));
  const { id, revokedAt } = await revokeApiKey(records, keyId, deployment.now());
  return { json: { id, revokedAt }, text: fieldList({ id, revoked: revokedAt }) };
}
