import type { Command } from 'commander';
import { findAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import type { Records } from '../../../functions/domain/records.ts';
import { findDelivery, replayDelivery } from '../../../functions/domain/webhooks/delivery.ts';
import { pastEvents } from '../../../functions/domain/webhooks/event.ts';
import { parkedDeliveries, type ReadDelivery } from '../../../functions/domain/webhooks/find-deliveries.ts';
import { queueOwn } from '../../../functions/domain/webhooks/queue-events.ts';
import { listWebhooks, type Webhook } from '../../../functions/domain/webhooks/webhook.ts';
import { parseMessageId, parseUuid } from '../../deployment/arguments.ts';
import type { Act, CommandAnswer } from '../../deployment/command.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { namedOrganization } from '../../deployment/named-organization.ts';
import { AttestationNowhereError, UsageInvalidError } from '../../terminal/errors.ts';
import { auditedWebhooks, webhookServices } from './audited-webhooks.ts';

interface Options {
  readonly org: string;
  readonly all?: true;
  readonly event?: string;
  readonly attestation?: string;
}

export function webhookReplay(group: Command, act: Act): void {
  group
    .command('replay')
    .description('Send events again, with the ids that they had. Each is tried for three days from now on.')
    .requiredOption('--org <org>', 'the id of the organisation, or its name if no other has the same')
    .option('--all', 'all that is parked')
    .option('--event <id>', 'one event, also one that was delivered', parseMessageId)
    .option(
      '--attestation <id>',
      'what an attestation has to tell now, also if it was never queued',
      parseUuid,
    )
    .action((options: Options) => act((deployment) => replay(deployment, options)));
}

async function replay(deployment: Deployment, options: Options): Promise<CommandAnswer> {
  const { org, all, event, attestation } = options;
  if ([all, event, attestation].filter((one) => one !== undefined).length !== 1)
    throw new UsageInvalidError('one of --all, --event and --attestation says what is sent again');
  const { id: organizationId } = await namedOrganization(deployment.records, org);
  const details = { ...(all && { all }), ...(event && { event }), ...(attestation && { attestation }) };
  const records = auditedWebhooks(deployment, 'webhook replay', organizationId, details);
  const services = webhookServices(deployment, records);
  let queued = 0;
  let messageIds = event === undefined ? [] : [event];
  if (attestation !== undefined) {
    const row = await findAttestation(records, { organizationId, id: attestation });
    if (!row) throw new AttestationNowhereError(attestation);
    const events = pastEvents(row, deployment.now());
    messageIds = events.map(({ messageId }) => messageId);
    queued = await queueOwn(services, organizationId, events);
  }
  let replayed = 0;
  const unreadable: string[] = [];
  for (const webhook of await listWebhooks(services, organizationId)) {
    const found = all
      ? await parkedDeliveries(records, webhook)
      : await Promise.all(messageIds.map((messageId) => named(records, webhook, messageId)));
    for (const { messageId, delivery, error } of found) {
      if (error) unreadable.push(messageId);
      if (delivery && (await replayDelivery(records, webhook, delivery, deployment.now()))) replayed += 1;
    }
  }
  const events = queued + replayed;
  const due =
    events === 0
      ? 'There is nothing to send again.'
      : `${events} events are due now; webhook list shows what waits.`;
  if (unreadable.length === 0) return { json: { events }, text: due };
  const malformed = `Malformed, and still parked; webhook parked says why:\n${unreadable.join('\n')}`;
  return { json: { events, unreadable }, text: `${due}\n${malformed}`, exitCode: 1 };
}

/** An event of a webhook, unless it is due already and was never tried. @throws RecordInvalidError */
async function named(records: Records, webhook: Webhook, messageId: string): Promise<ReadDelivery> {
  const found = await findDelivery(records, webhook, messageId);
  const isNew = found?.state === 'due' && found.tries === 0;
  return { messageId, delivery: isNew ? undefined : found };
}
