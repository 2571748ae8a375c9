import type { Command } from 'commander';
import { fieldList } from 'imprimatur-terminal/text';
import { moveWebhook } from '../../../functions/domain/webhooks/move-webhook.ts';
import { parseWebhookUrl } from '../../../functions/domain/webhooks/webhook.ts';
import { parseUuid } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';
import { auditedWebhooks } from './audited-webhooks.ts';

interface Options {
  readonly org: string;
  readonly url: string;
}

export function webhookUpdate(group: Command, act: Act): void {
  group
    .command('update')
    .description(
      'Send events to another address, with the same secret; also those that wait, for three days from now on. The same address enables one that is disabled.',
    )
    .requiredOption('--org <org>', 'the id of the organisation, or its name if no other has the same')
    .requiredOption('--url <url>', 'the new address, as in webhook create')
    .argument('<webhookId>', 'its id', parseUuid)
    .action((id: string, options: Options) => act((deployment) => update(deployment, options, id)));
}

async function update(
  deployment: Deployment,
  { org, url: text }: Options,
  id: string,
): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const url = parseWebhookUrl(text, await deployment.settings());
  const details = { webhookId: id, host: url.host };
  const records = auditedWebhooks(deployment, 'webhook update', organizationId, details);
  await moveWebhook(records, { organizationId, id }, url, deployment.now());
  return { json: { id, organizationId, url: url.href }, text: fieldList({ id, url: url.href }) };
}
