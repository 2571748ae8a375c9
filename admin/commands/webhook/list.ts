import type { Command } from 'commander';
import { countDeliveries } from '../../../functions/domain/webhooks/find-deliveries.ts';
import { type Hold, isHeld } from '../../../functions/domain/webhooks/hold.ts';
import { listWebhooks, signingSecrets, type Webhook } from '../../../functions/domain/webhooks/webhook.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';
import { table } from '../../terminal/text.ts';
import { webhookServices } from './audited-webhooks.ts';

export function webhookList(group: Command, act: Act): void {
  group
    .command('list')
    .description(
      'List webhooks, with their state, how many events wait for each and how many are parked. Secrets are not shown.',
    )
    .option('--org <org>', 'those of one organisation, by its id or name; without it, all')
    .action(({ org }: { org?: string }) => act((deployment) => list(deployment, org)));
}

async function list(deployment: Deployment, org: string | undefined): Promise<CommandAnswer> {
  const { records } = deployment;
  const organizationId = org === undefined ? undefined : (await namedOrganization(records, org)).id;
  const found = await listWebhooks(webhookServices(deployment, records), organizationId);
  const webhooks = await Promise.all(found.map((webhook) => described(deployment, webhook)));
  const rows = webhooks.map(({ id, organizationId: owner, url, waiting, parked, secrets, ...hold }) => [
    ...[id, owner, waiting, parked, secrets, stateOf(hold), url],
  ]);
  const headings = ['ID', 'ORGANISATION', 'WAITING', 'PARKED', 'SECRETS', 'STATE', 'URL'];
  const none = 'There is no webhook yet; webhook create --org ORG --url URL makes one.';
  return { json: { webhooks }, text: rows.length === 0 ? none : table(headings, rows) };
}

async function described(deployment: Deployment, webhook: Webhook) {
  const counts = await countDeliveries(deployment.records, webhook);
  const { organizationId, id, url, createdAt, disabledAt, notBefore } = webhook;
  const now = deployment.now();
  const secrets = signingSecrets(webhook, now).length;
  const hold: Hold = disabledAt ? { disabledAt } : isHeld(webhook, now) && notBefore ? { notBefore } : {};
  return { id, organizationId, url, createdAt, secrets, ...hold, ...counts };
}

function stateOf({ disabledAt, notBefore }: Hold): string {
  if (disabledAt !== undefined) return `disabled ${disabledAt}`;
  return notBefore === undefined ? 'active' : `not before ${notBefore}`;
}
