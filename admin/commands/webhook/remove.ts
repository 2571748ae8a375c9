import type { Command } from 'commander';
import { fieldList } from 'imprimatur-terminal/text';
import { removeWebhook } from '../../../functions/domain/webhooks/webhook.ts';
import { parseUuid } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';
import { auditedWebhooks } from './audited-webhooks.ts';

export function webhookRemove(group: Command, act: Act): void {
  group
    .command('remove')
    .description('Send nothing more to an address. What waits for it, or is parked, is not sent.')
    .requiredOption('--org <org>', 'the id of the organisation, or its name if no other has the same')
    .argument('<webhookId>', 'its id', parseUuid)
    .action((id: string, { org }: { org: string }) => act((deployment) => remove(deployment, org, id)));
}

async function remove(deployment: Deployment, org: string, id: string): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const records = auditedWebhooks(deployment, 'webhook remove', organizationId, { webhookId: id });
  await removeWebhook(records, { organizationId, id });
  return { json: { id, removed: true }, text: fieldList({ id, state: 'removed' }) };
}
