import type { Fields, Records } from '../records.ts';
import { keptDays, replayDelivery } from './delivery.ts';
import { dueDeliveries, listDeliveries } from './find-deliveries.ts';
import type { QueueServices } from './queue-events.ts';
import { endWithoutTry } from './record-try.ts';
import { findWebhook, type Webhook, type WebhookKey, webhookMissing, webhookRecord } from './webhook.ts';

/** A receiver's request to stop or pause deliveries. */
export type Hold = Pick<Webhook, 'disabledAt' | 'notBefore'>;

/** Records a hold, unless a longer one exists, or the webhook has another URL, is disabled or was removed. */
export async function holdWebhook(
  services: Pick<QueueServices, 'records' | 'log'>,
  webhook: Webhook,
  hold: Hold,
  reply: Fields,
): Promise<void> {
  const { records, log } = services;
  const { url, disabledAt, notBefore } = (await findWebhook(records, webhook)) ?? {};
  if (url !== webhook.url || disabledAt !== undefined) return;
  if (hold.notBefore !== undefined && notBefore !== undefined && hold.notBefore <= notBefore) return;
  // Logged before it is written, so that no webhook is disabled without an alarm.
  if (hold.disabledAt !== undefined) log.error('webhook disabled', new Error('HTTP 410'), reply);
  const expect = { url, disabledAt, notBefore };
  const isRecorded = await records.update({ key: webhookRecord(webhook), set: { ...hold }, expect });
  if (!isRecorded) await holdWebhook(services, webhook, hold, reply);
}

export function currentHold({ disabledAt, notBefore }: Webhook, now: Date): Hold | undefined {
  if (disabledAt !== undefined) return { disabledAt };
  return notBefore !== undefined && Date.parse(notBefore) > now.getTime() ? { notBefore } : undefined;
}

/** Changes the URL and ends the former receiver's hold. Waiting events are due at once. @throws RefusedError */
export async function moveWebhook(records: Records, key: WebhookKey, url: URL, now: Date): Promise<void> {
  const set = { url: url.href, disabledAt: undefined, notBefore: undefined };
  if (!(await records.transact([{ key: webhookRecord(key), set, ifPresent: true }])))
    throw webhookMissing(key);
  // Untried deliveries are already due, and their three days have not begun.
  for (const { delivery } of await listDeliveries(records, key, 'retry'))
    if (delivery?.state === 'due') await replayDelivery(records, key, delivery, now);
}

/** Number of days from a held delivery's due time until it becomes a dead letter, about a day before it expires. */
const heldDays = keptDays - 1;

const deadLettersAtOnce = 100;

/** Turns deliveries that a hold prevented for `heldDays` into dead letters, so that none expires without an alarm. */
export async function endExpiring(services: QueueServices, webhook: WebhookKey): Promise<void> {
  const { records, log, now } = services;
  const { organizationId, id: webhookId } = webhook;
  const until = new Date(now().getTime() - heldDays * 86_400_000);
  const answer = `not contacted for ${heldDays} days`;
  for (const delivery of await dueDeliveries(services, webhook, until, deadLettersAtOnce)) {
    const { messageId, tries } = delivery;
    // Logged before it is recorded, so that no dead letter lacks an alarm.
    const fields = { organizationId, webhookId, messageId, answer, tries };
    log.error('webhook delivery is a dead letter', new Error(answer), fields);
    await endWithoutTry(records, webhook, delivery, { answer, now: now() });
  }
}
