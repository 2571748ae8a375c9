import type { Command } from 'commander';
import { table } from 'imprimatur-terminal/text';
import { countDeliveries, deliveriesIn } from '../../../functions/domain/webhooks/find-deliveries.ts';
import { type Hold, holdAt } from '../../../functions/domain/webhooks/hold.ts';
import {
  type ReadWebhook,
  readWebhooks,
  signingSecrets,
} from '../../../functions/domain/webhooks/webhook.ts';
import { orgOption } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer, Deployment } from '../../deployment/command.ts';
import { namedOrganization } from '../../deployment/organizations.ts';

export function webhookList(group: Command, act: Act): void {
  group
    .command('list')
    .description(
      'List webhooks, with their state, how many events wait for each and how many are parked. Secrets are not shown.',
    )
    .option('--org <org>', 'those of one organisation, by its id or name; without it, all')
    .action(act(list));
}

async function list(deployment: Deployment, { org }: { org?: string }): Promise<CommandAnswer> {
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

export function webhookParked(group: Command, act: Act): void {
  group
    .command('parked')
    .description(
      'List the events that a receiver did not take in three days, or did not let be tried. They are kept for thirty days.',
    )
    .requiredOption(...orgOption)
    .action(act(parked));
}

async function parked({ records }: Deployment, { org }: { org: string }): Promise<CommandAnswer> {
  const { id: organizationId } = await namedOrganization(records, org);
  const webhooks = await readWebhooks(records, organizationId);
  const found = await Promise.all(
    webhooks.map(async ({ key }) => {
      const own = await deliveriesIn(records, key, 'parked');
      return own.map(({ messageId, delivery, error }) => {
        const { type = null, attestationId = null, queuedAt = null, tryAt = null } = delivery ?? {};
        const { tries = null, answer = error?.message ?? null } = delivery ?? {};
        const event = { webhookId: key.id, messageId, type, attestationId };
        return { ...event, queuedAt, lastTryAt: tries === 0 ? null : tryAt, tries, answer };
      });
    }),
  );
  const events = found.flat();
  const rows = events.map((event) => [event.messageId, event.tries, event.lastTryAt, event.answer]);
  const next = `Once the receiver answers: webhook replay --org ${organizationId} --all`;
  const listed = `${table(['EVENT', 'TRIES', 'LAST TRY', 'LAST ANSWER'], rows)}\n${next}`;
  return { json: { events }, text: rows.length === 0 ? 'Nothing is parked.' : listed };
}
