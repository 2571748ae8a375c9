import type { Command } from 'commander';
import { fieldList } from 'imprimatur-terminal/text';
import { formerSecretHours, rotateSecret } from '../../../functions/domain/webhooks/webhook.ts';
import { parseUuid } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';
import { auditedWebhooks, secretNotice } from './audited-webhooks.ts';

export function webhookRotate(group: Command, act: Act): void {
  group
    .command('rotate')
    .description(
      `Make a new secret for a webhook and print it: this once. The one before signs as well for ${formerSecretHours} hours.`,
    )
    .requiredOption('--org <org>', 'the id of the organisation, or its name if no other has the same')
    .argument('<webhookId>', 'its id', parseUuid)
    .action((id: string, { org }: { org: string }) => act((deployment) => rotate(deployment, org, id)));
}

async function rotate(deployment: Deployment, org: string, id: string): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const records = auditedWebhooks(deployment, 'webhook rotate', organizationId, { webhookId: id });
  const now = deployment.now();
  const { secret, formerUntil } = await rotateSecret(records, { organizationId, id }, { now });
  const fields = { secret, id, 'former secret until': formerUntil ?? null };
  return { json: { organizationId, id, secret, formerUntil }, text: `${fieldList(fields)}\n${secretNotice}` };
}
