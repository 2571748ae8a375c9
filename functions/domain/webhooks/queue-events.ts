import { attestationOf, attestationRow } from '../attestation/attestation-records.ts';
import { lowestId } from '../attestation/list-attestations.ts';
import type { Stored } from '../records.ts';
import type { Services } from '../services.ts';
import { parseOrReport } from '../stored-record.ts';
import { deliveryRecord, queueDelivery } from './delivery.ts';
import { eventsOf, pastEvents, type RowChange, type WebhookEvent } from './event.ts';
import { listWebhooks, type WebhookKey } from './webhook.ts';

export type QueueServices = Pick<Services, 'records' | 'log' | 'now'>;

/** Queues the events of writes. May run twice. Logs a malformed row. After an error, the stream repeats all writes. */
export async function queueEvents(services: QueueServices, changes: readonly RowChange[]): Promise<void> {
  const events = changes.flatMap((change) => parseEvents(services, change));
  const byOrganization = Map.groupBy(events, ({ organizationId }) => organizationId);
  for (const [organizationId, organizationEvents] of byOrganization)
    await queueAll(services, await listWebhooks(services, organizationId), organizationEvents);
}

function parseEvents({ log }: QueueServices, change: RowChange): WebhookEvent[] {
  const { organizationId, id } = change.key;
  const report = (error: Error) => log.error('webhook event unreadable', error, { organizationId, id });
  return parseOrReport(() => eventsOf(change), report) ?? [];
}

/** Queues events for webhooks. @returns how many were not queued before */
export async function queueAll(
  { records, now }: Pick<QueueServices, 'records' | 'now'>,
  webhooks: readonly WebhookKey[],
  events: readonly WebhookEvent[],
): Promise<number> {
  let queued = 0;
  for (const webhook of webhooks)
    for (const event of events) if (await queueDelivery(records, webhook, event, now())) queued += 1;
  return queued;
}

const rowsAtOnce = 100;

export interface PastEvents {
  readonly organizationId: string;
  readonly since: Date;
  readonly webhooks: readonly WebhookKey[];
}

/**
 * Queues past events that were never queued, for example because the stream lost writes. IDs contain the time of
 * acceptance. A link counts if either end was accepted at or after `since`, so this reads all rows of the organization.
 * @returns how many events were not queued before, and the IDs of malformed attestations
 */
export async function queueMissed(
  services: Pick<QueueServices, 'records' | 'now'>,
  { organizationId, since, webhooks }: PastEvents,
) {
  const { table, pk } = attestationRow({ organizationId, id: '' });
  const minId = lowestId(since);
  const unreadable: string[] = [];
  let queued = 0;
  for (let from: string | undefined = lowestId(new Date(0)); from !== undefined; ) {
    const rows: Stored[] = await services.records.list({ table, pk, from, limit: rowsAtOnce });
    const events = rows.flatMap(({ key, fields }) => {
      const { childAttestationId: child } = fields;
      const isNew = key.sk >= minId;
      if (!isNew && !(typeof child === 'string' && child >= minId)) return [];
      const parse = () => attestationOf({ organizationId, id: key.sk }, fields);
      const row = parseOrReport(parse, () => unreadable.push(key.sk));
      const past = row ? pastEvents(row, services.now()) : [];
      return past.filter(({ type }) => isNew || type === 'attestation.linked');
    });
    for (const webhook of webhooks)
      queued += await queueAll(services, [webhook], await neverQueued(services, webhook, events));
    // "~" sorts after every character of an id.
    from = rows.length < rowsAtOnce ? undefined : `${rows.at(-1)?.key.sk}~`;
  }
  return { queued, unreadable };
}

/** Returns the events that were never queued for the webhook. Reads first, because failed writes cost much more. */
async function neverQueued(
  { records }: Pick<QueueServices, 'records'>,
  webhook: WebhookKey,
  events: readonly WebhookEvent[],
): Promise<WebhookEvent[]> {
  const found = await records.getAll(events.map(({ messageId }) => deliveryRecord(webhook, messageId)));
  return events.filter((_, position) => found[position] === undefined);
}
