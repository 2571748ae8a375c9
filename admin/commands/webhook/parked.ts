import type { Command } from 'commander';
import { table } from 'imprimatur-terminal/text';
import { deliveriesIn } from '../../../functions/domain/webhooks/find-deliveries.ts';
import { readWebhooks } from '../../../functions/domain/webhooks/webhook.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';

export function webhookParked(group: Command, act: Act): void {
  group
    .command('parked')
    .description(
      'List the events that a receiver did not take in three days, or did not let be tried. They are kept for thirty days.',
    )
    .requiredOption('--org <org>', 'the id of the organisation, or its name if no other has the same')
    .action(({ org }: { org: string }) => act((deployment) => parked(deployment, org)));
}

async function parked(deployment: Deployment, org: string): Promise<CommandAnswer> {
  const { records } = deployment;
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
  const text =
    rows.length === 0
      ? 'Nothing is parked.'
      : `${table(['EVENT', 'TRIES', 'LAST TRY', 'LAST ANSWER'], rows)}\n` +
        `Once the receiver answers: webhook replay --org ${organizationId} --all`;
  return { json: { events }, text };
}
