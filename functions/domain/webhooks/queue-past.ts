import { attestationOf, attestationRow } from '../attestation/attestation-records.ts';
import { lowestId } from '../attestation/list-attestations.ts';
import type { Stored } from '../records.ts';
import { parseReported } from '../stored-record.ts';
import { deliveryRecord } from './delivery.ts';
import { pastEvents, type WebhookEvent } from './event.ts';
import { type QueueServices, queueFor } from './queue-events.ts';
import type { WebhookKey } from './webhook.ts';

/** Attestations that are read at once. */
const rowsAtOnce = 100;

/** What was queued of the past. */
export interface QueuedPast {
  /** Number of events that were not queued before. */
  readonly queued: number;
  /** Ids of attestations that are malformed. */
  readonly unreadable: readonly string[];
}

/** What an organisation's attestations have had since a time, and the webhooks that are to be told of it. */
export interface Past {
  readonly organizationId: string;
  readonly since: Date;
  readonly webhooks: readonly WebhookKey[];
}

/**
 * Makes the events that attestations have had by now, as their rows tell them, and queues those that were never queued: as when
 * the stream passed over the writes. What a delivery is kept of stays as it is. Ids tell the time, which is that of the acceptance: a
 * link counts where either end was accepted since then, so this reads all rows of the organisation.
 */
export async function queuePast(
  services: Pick<QueueServices, 'records' | 'now'>,
  { organizationId, since, webhooks }: Past,
): Promise<QueuedPast> {
  const { table, pk } = attestationRow({ organizationId, id: '' });
  const first = lowestId(since);
  const unreadable: string[] = [];
  let queued = 0;
  for (let from: string | undefined = lowestId(new Date(0)); from !== undefined; ) {
    const rows: Stored[] = await services.records.list({ table, pk, from, limit: rowsAtOnce });
    const events = rows.flatMap(({ key, fields }) => {
      const { childAttestationId: child } = fields;
      const isNew = key.sk >= first;
      if (!isNew && !(typeof child === 'string' && child >= first)) return [];
      const parse = () => attestationOf({ organizationId, id: key.sk }, fields);
      const row = parseReported(parse, () => unreadable.push(key.sk));
      const past = row ? pastEvents(row, services.now()) : [];
      return past.filter(({ type }) => isNew || type === 'attestation.linked');
    });
    for (const webhook of webhooks)
      queued += await queueFor(services, [webhook], await neverQueued(services, webhook, events));
    // "~" sorts after every character of an id.
    from = rows.length < rowsAtOnce ? undefined : `${rows.at(-1)?.key.sk}~`;
  }
  return { queued, unreadable };
}

/** The events of which the webhook has no delivery: asking first costs a fraction of writes that do not hold. */
async function neverQueued(
  { records }: Pick<QueueServices, 'records'>,
  webhook: WebhookKey,
  events: readonly WebhookEvent[],
): Promise<WebhookEvent[]> {
  const found = await records.getAll(events.map(({ messageId }) => deliveryRecord(webhook, messageId)));
  return events.filter((_, position) => found[position] === undefined);
}
