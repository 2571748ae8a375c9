import type { Command } from 'commander';
import { table } from 'imprimatur-terminal/text';
import { countDeliveries } from '../../../functions/domain/webhooks/find-deliveries.ts';
import { type Hold, holdAt } from '../../../functions/domain/webhooks/hold.ts';
import {
  type ReadWebhook,
  readWebhooks,
  signingSecrets,
} from '../../../functions/domain/webhooks/webhook.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';

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
  const found = await readWebhooks(records, organizationId);
  const webhooks = await Promise.all(found.map((webhook) => described(deployment, webhook)));
  const rows = webhooks.map(
    ({ id, organizationId: owner, url, waiting, parked, secrets, error, ...hold }) => [
      ...[id, owner, waiting, parked, secrets, error ? 'malformed' : stateOf(hold), url ?? error ?? null],
    ],
  );
  const headings = ['ID', 'ORGANISATION', 'WAITING', 'PARKED', 'SECRETS', 'STATE', 'URL'];
  const none = 'There is no webhook yet; webhook create --org ORG --url URL makes one.';
  return { json: { webhooks }, text: rows.length === 0 ? none : table(headings, rows) };
}

/** What is shown of a webhook; of a malformed one, why it cannot be read. */
async function described({ records, now }: Deployment, { key, webhook, error }: ReadWebhook) {
  const counts = await countDeliveries(records, key);
  const { url = null, createdAt = null } = webhook ?? {};
  const at = now();
  const secrets = webhook ? signingSecrets(webhook, at).length : null;
  const hold = webhook && holdAt(webhook, at);
  return { ...key, url, createdAt, secrets, ...hold, ...counts, ...(error && { error: error.message }) };
}

function stateOf({ disabledAt, notBefore }: Hold): string {
  if (disabledAt !== undefined) return `disabled ${disabledAt}`;
  return notBefore === undefined ? 'active' : `not before ${notBefore}`;
}
