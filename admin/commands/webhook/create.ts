import type { Command } from 'commander';
import { fieldList } from 'imprimatur-terminal/text';
import { createWebhook, parseWebhookUrl } from '../../../functions/domain/webhooks/webhook.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';
import { auditedWebhooks, secretNotice } from './audited-webhooks.ts';

interface Options {
  readonly org: string;
  readonly url: string;
}

const deafNotice =
  'It hears nothing yet: the stack has no stream of its restored table of attestations. Run admin doctor.';

export function webhookCreate(group: Command, act: Act): void {
  group
    .command('create')
    .description(
      "Send an organisation's events to an address, and print the secret that signs them: this once.",
    )
    .requiredOption('--org <org>', 'the id of the organisation, or its name if no other has the same')
    .requiredOption('--url <url>', 'an https URL at a public domain; http://127.0.0.1 on a local stack')
    .action((options: Options) => act((deployment) => create(deployment, options)));
}

async function create(deployment: Deployment, { org, url: text }: Options): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const settings = await deployment.settings();
  const url = parseWebhookUrl(text, settings);
  // Paths and queries of such URLs may hold a token.
  const records = auditedWebhooks(deployment, 'webhook create', organizationId, { host: url.host });
  const made = { organizationId, url, now: deployment.now() };
  const webhook = await createWebhook({ records }, made);
  const { id, secret } = webhook;
  const fields = fieldList({ secret, id, organisation: organizationId, url: webhook.url });
  const { attestations, attestationsStream } = settings.existing?.tables ?? {};
  const isDeaf = attestations !== undefined && attestationsStream === undefined;
  return {
    json: { ...webhook, ...(isDeaf && { warning: deafNotice }) },
    text: `${fields}\n${secretNotice}${isDeaf ? `\n${deafNotice}` : ''}`,
  };
}
