import type { Change, Key, Records } from '../records.ts';
import type { Services } from '../services.ts';
import { parsedOrError, type RecordInvalidError } from '../stored-record.ts';
import {
  type Delivery,
  deadLetterRecord,
  deliveryOf,
  deliveryRecord,
  expiryFrom,
  partitionOf,
} from './delivery.ts';
import type { WebhookKey } from './webhook.ts';

/** Result of reading a delivery. An absent one has no error. */
export interface ReadDelivery {
  readonly messageId: string;
  readonly delivery?: Delivery | undefined;
  readonly error?: RecordInvalidError | undefined;
}

async function readAll(records: Records, webhook: WebhookKey, ids: readonly string[]) {
  const found = ids.length === 0 ? [] : await records.getAll(ids.map((one) => deliveryRecord(webhook, one)));
  return found.map((fields, position): ReadDelivery => {
    const messageId = ids[position] ?? '';
    const { parsed, error } = parsedOrError(() => fields && deliveryOf(messageId, fields));
    return { messageId, delivery: parsed, error };
  });
}

const messageIdOf = ({ sk }: Key): string => sk.slice(sk.indexOf('#') + 1);

/** Lists the keys of the records due by a time, untried and retried in turns: of each, at most half of the limit. */
async function listDue(records: Records, webhook: WebhookKey, until: Date, limit: number): Promise<Key[]> {
  // In ASCII, `$` follows `#`, so deliveries due exactly at that time are included.
  const range = {
    table: 'webhooks',
    before: `${until.toISOString()}$`,
    limit: Math.ceil(limit / 2),
  } as const;
  const [untried = [], retried = []] = await Promise.all(
    ['due', 'retry'].map((kind) => records.list({ ...range, pk: partitionOf(kind, webhook) })),
  );
  // Alternates, so that neither kind delays the other.
  const turns = Array.from({ length: range.limit }, (_, turn) => [untried[turn], retried[turn]]);
  return turns.flat().flatMap((place) => place?.key ?? []);
}

export async function hasDue(records: Records, webhook: WebhookKey, until: Date): Promise<boolean> {
  return (await listDue(records, webhook, until, 1)).length > 0;
}

/** Reads due deliveries. A malformed one, perhaps from a newer version, is logged and becomes a dead letter. */
export async function dueDeliveries(
  { records, log, now }: Pick<Services, 'records' | 'log' | 'now'>,
  webhook: WebhookKey,
  until: Date,
  limit: number,
): Promise<Delivery[]> {
  const places = await listDue(records, webhook, until, limit);
  const read = await readAll(records, webhook, places.map(messageIdOf));
  const { organizationId, id: webhookId } = webhook;
  const found = await Promise.all(
    places.map(async (place, position) => {
      const { messageId = '', delivery, error } = read[position] ?? {};
      if (delivery?.state === 'due' && place.sk === `${delivery.tryAt}#${messageId}`) return [delivery];
      if (error) log.error('webhook event unreadable', error, { organizationId, webhookId, messageId });
      const expiresAt = expiryFrom(now());
      const key = deliveryRecord(webhook, messageId);
      const deadLetter: Change[] = [
        { key, set: { state: 'dead-letter', expiresAt }, ifPresent: true },
        { key: deadLetterRecord(webhook, messageId), put: { expiresAt } },
      ];
      // If it is no longer due, only its position is removed.
      await records.transact([{ key: place, remove: true }, ...(error ? deadLetter : [])]);
      return [];
    }),
  );
  return found.flat();
}

const countOf = async (records: Records, pk: string) =>
  (await records.list({ table: 'webhooks', pk })).length;

export async function countDeliveries(records: Records, webhook: WebhookKey) {
  const [untried = 0, retried = 0, deadLetters = 0] = await Promise.all(
    ['due', 'retry', 'dead-letter'].map((kind) => countOf(records, partitionOf(kind, webhook))),
  );
  return { waiting: untried + retried, deadLetters };
}

/** Lists the deliveries of a kind. Malformed ones come with their errors. */
export async function listDeliveries(records: Records, webhook: WebhookKey, kind: 'dead-letter' | 'retry') {
  const places = await records.list({ table: 'webhooks', pk: partitionOf(kind, webhook) });
  const ids = places.map(({ key }) => messageIdOf(key));
  const read = await readAll(records, webhook, ids);
  return read.filter(({ delivery, error }) => delivery ?? error);
}
