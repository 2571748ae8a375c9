import type { Records } from '../records.ts';
import type { Clock, Log } from '../services.ts';
import { parseReported } from '../stored-record.ts';
import { queueDelivery } from './delivery.ts';
import { eventsOf, type RowChange, type WebhookEvent } from './event.ts';
import { listWebhooks, type WebhookKey } from './webhook.ts';

/** What queueing events takes. */
export interface QueueServices {
  readonly records: Records;
  readonly log: Log;
  readonly now: Clock;
}

/**
 * Queues the events of writes for the webhooks of their organisations. It may run twice with the same writes: what is queued
 * stays as it is. A row that is malformed is reported and passed over: it holds up none of those behind it. A failure of the
 * store is no record's fault: it is thrown, and all of them are to come again.
 */
export async function queueEvents(services: QueueServices, changes: readonly RowChange[]): Promise<void> {
  const events = changes.flatMap((change) => readableEvents(services, change));
  const byOrganization = Map.groupBy(events, ({ organizationId }) => organizationId);
  for (const [organizationId, own] of byOrganization)
    await queueFor(services, await listWebhooks(services, organizationId), own);
}

function readableEvents({ log }: QueueServices, change: RowChange): WebhookEvent[] {
  const { organizationId, id } = change.key;
  const report = (error: Error) => log.error('webhook event unreadable', error, { organizationId, id });
  return parseReported(() => eventsOf(change), report) ?? [];
}

/** Queues events of one organisation for its webhooks. @returns how many were not queued before */
export async function queueFor(
  { records, now }: Pick<QueueServices, 'records' | 'now'>,
  webhooks: readonly WebhookKey[],
  events: readonly WebhookEvent[],
): Promise<number> {
  let queued = 0;
  for (const webhook of webhooks)
    for (const event of events) if (await queueDelivery(records, webhook, event, now())) queued += 1;
  return queued;
}
