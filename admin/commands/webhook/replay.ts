import type { Command } from 'commander';
import { findAttestation } from '../../../functions/domain/attestation/attestation-records.ts';
import {
  findDelivery,
  replayDelivery,
  waitingDeliveries,
} from '../../../functions/domain/webhooks/delivery.ts';
import { pastEvents } from '../../../functions/domain/webhooks/event.ts';
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

/** Parked events that one command replays of each webhook. */
const atOnce = 1_000;

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
  for (const webhook of await listWebhooks(services, organizationId))
    replayed += await replayOne(services, webhook, all ? undefined : messageIds);
  const events = queued + replayed;
  const text =
    events === 0
      ? 'There is nothing to send again.'
      : `${events} events are due now; webhook list shows what waits.`;
  return { json: { events }, text };
}

/** Replays what is parked, or these events; one that is due already stays so. @returns how many */
async function replayOne(
  services: ReturnType<typeof webhookServices>,
  webhook: Webhook,
  messageIds: readonly string[] | undefined,
): Promise<number> {
  const { records, now } = services;
  const named = messageIds?.map((messageId) => findDelivery(records, webhook, messageId));
  const found = named
    ? await Promise.all(named)
    : (await waitingDeliveries(services, webhook, atOnce)).parked;
  let replayed = 0;
  for (const delivery of found) {
    if (!delivery || (delivery.state === 'due' && delivery.tries === 0)) continue;
    if (await replayDelivery(records, webhook, delivery, now())) replayed += 1;
  }
  return replayed;
}
