import * as z from 'zod';
import type { Fields, Key, Records } from '../records.ts';
import { formOf, parseRecord } from '../stored-record.ts';
import type { WebhookEvent } from './event.ts';
import type { WebhookKey } from './webhook.ts';

const deliveryForm = formOf(
  {
    type: z.enum(['attestation.confirmed', 'attestation.failed', 'attestation.linked']),
    attestationId: z.string(),
    body: z.string(),
    /** `dead-letter`: the service no longer tries to send it, until an operator replays it. */
    state: z.enum(['due', 'delivered', 'dead-letter']),
    queuedAt: z.string(),
    /** Time of its first attempt since it was queued or replayed; until then, the time of queueing or replaying. */
    since: z.iso.datetime(),
    /** Time of its next attempt; if it is not due, of its last one, or of the attempt that a hold prevented. */
    tryAt: z.iso.datetime(),
    /** Number of attempts since the event was queued or replayed. */
    tries: z.number(),
    /** Time at which DynamoDB deletes it, in seconds since 1970. */
    expiresAt: z.number(),
  },
  {
    /** Summary of the receiver's last answer, without its body, or the reason why there is none. */
    answer: z.string(),
  },
);

export type Delivery = z.output<typeof deliveryForm> & { readonly messageId: string };

/** Days for which a delivery is kept. Meanwhile, the same event is not queued again. */
export const keptDays = 30;

/** Maximum pause between two attempts, in milliseconds. */
export const maxPauseMilliseconds = 4 * 3_600_000;

export const partitionOf = (kind: string, { organizationId, id }: WebhookKey) =>
  `${kind}#${organizationId}#${id}`;

const recordIn = (kind: string, webhook: WebhookKey, sk: string): Key => ({
  ...{ table: 'webhooks', pk: partitionOf(kind, webhook), sk },
});

export const deliveryRecord = (webhook: WebhookKey, messageId: string): Key =>
  recordIn('delivery', webhook, messageId);

/**
 * Returns the key of the record that lists a delivery as due. Untried deliveries have their own partition, so that
 * neither kind delays the other.
 */
export const dueRecord = (
  webhook: WebhookKey,
  { messageId, tryAt, tries }: Pick<Delivery, 'messageId' | 'tryAt' | 'tries'>,
): Key => recordIn(tries === 0 ? 'due' : 'retry', webhook, `${tryAt}#${messageId}`);

export const deadLetterRecord = (webhook: WebhookKey, messageId: string): Key =>
  recordIn('dead-letter', webhook, messageId);

/** Returns the webhook of a partition of untried due deliveries; `undefined` for other partitions. */
export function webhookOfDue(pk: string): WebhookKey | undefined {
  const [kind, organizationId, id] = pk.split('#');
  return kind === 'due' && organizationId && id ? { organizationId, id } : undefined;
}

/** Returns the time at which DynamoDB deletes a record written now, in seconds since 1970. */
export const expiryFrom = (time: Date): number => Math.ceil(time.getTime() / 1000) + keptDays * 86_400;

/** Queues an event for a webhook, due at once. @returns false if it was queued before */
export function queueDelivery(records: Records, webhook: WebhookKey, event: WebhookEvent, now: Date) {
  const { type, id: attestationId, body, messageId } = event;
  const time = now.toISOString();
  const times = { queuedAt: time, since: time, tryAt: time, tries: 0, expiresAt: expiryFrom(now) };
  const put = { type, attestationId, body, state: 'due', ...times };
  return records.transact([
    { key: deliveryRecord(webhook, messageId), put, ifAbsent: true },
    { key: dueRecord(webhook, { ...times, messageId }), put: { expiresAt: times.expiresAt } },
  ]);
}

export const deliveryOf = (messageId: string, fields: Fields): Delivery => ({
  ...parseRecord('delivery', deliveryForm, fields),
  messageId,
});

export async function findDelivery(records: Records, webhook: WebhookKey, messageId: string) {
  const fields = await records.get(deliveryRecord(webhook, messageId));
  return fields && deliveryOf(messageId, fields);
}

/** Makes a delivery due at once, in any state. @returns false if it changed meanwhile */
export function replayDelivery(records: Records, webhook: WebhookKey, before: Delivery, now: Date) {
  const { messageId, state, tryAt } = before;
  const replayed = { messageId, tryAt: now.toISOString(), tries: 0 };
  const expiresAt = expiryFrom(now);
  const [former, next] = [dueRecord(webhook, before), dueRecord(webhook, replayed)];
  const isSame = former.pk === next.pk && former.sk === next.sk;
  return records.transact([
    {
      key: deliveryRecord(webhook, messageId),
      expect: { state, tryAt },
      set: { state: 'due', since: replayed.tryAt, tryAt: replayed.tryAt, tries: 0, expiresAt },
    },
    ...(isSame ? [] : [{ key: former, remove: true } as const]),
    { key: next, put: { expiresAt } },
    { key: deadLetterRecord(webhook, messageId), remove: true },
  ]);
}
