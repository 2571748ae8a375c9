import type { Fields, Records } from '../records.ts';
import { keptDays, replayDelivery } from './delivery.ts';
import { deliveriesIn, dueDeliveries } from './find-deliveries.ts';
import type { QueueServices } from './queue-events.ts';
import { parkUntried } from './record-try.ts';
import { findWebhook, type Webhook, type WebhookKey, webhookMissing, webhookRecord } from './webhook.ts';

/** What a receiver said of itself. */
export type Hold = Pick<Webhook, 'disabledAt' | 'notBefore'>;

/**
 * Notes what its receiver said of itself, the latest of several times; nothing when it is at another address by now, disabled, or removed.
 * @param said what the log says of a webhook that is disabled
 */
export async function holdWebhook(
  services: Pick<QueueServices, 'records' | 'log'>,
  webhook: Webhook,
  hold: Hold,
  said: Fields,
): Promise<void> {
  const { records, log } = services;
  const { url, disabledAt, notBefore } = (await findWebhook(records, webhook)) ?? {};
  if (url !== webhook.url || disabledAt !== undefined) return;
  if (hold.notBefore !== undefined && notBefore !== undefined && hold.notBefore <= notBefore) return;
  // Before it is written: none is disabled without an alarm.
  if (hold.disabledAt !== undefined) log.error('webhook disabled', new Error('HTTP 410'), said);
  const expect = { url, disabledAt, notBefore };
  const isNoted = await records.update({ key: webhookRecord(webhook), set: { ...hold }, expect });
  if (!isNoted) await holdWebhook(services, webhook, hold, said);
}

/** What its receiver said of itself that still counts: it is to be left alone now. */
export function holdAt({ disabledAt, notBefore }: Webhook, now: Date): Hold | undefined {
  if (disabledAt !== undefined) return { disabledAt };
  return notBefore !== undefined && Date.parse(notBefore) > now.getTime() ? { notBefore } : undefined;
}

/**
 * Sends to this address from now on. What the receiver before said of itself counts no more: what waits is due at once, for three days.
 * @throws RefusedError for an unknown one
 */
export async function moveWebhook(records: Records, key: WebhookKey, url: URL, now: Date): Promise<void> {
  const set = { url: url.href, disabledAt: undefined, notBefore: undefined };
  if (!(await records.transact([{ key: webhookRecord(key), set, ifPresent: true }])))
    throw webhookMissing(key);
  // What was never tried is due, and its three days have not begun.
  for (const { delivery } of await deliveriesIn(records, key, 'retry'))
    if (delivery?.state === 'due') await replayDelivery(records, key, delivery, now);
}

/** Days after which what is due and not tried is parked: the day before it expires. */
const leftAloneDays = keptDays - 1;

/** Deliveries that are parked by one run. */
const parkedAtOnce = 100;

/** Parks what a receiver that is to be left alone did not let be tried: nothing expires without an alarm. */
export async function parkExpiring(services: QueueServices, webhook: WebhookKey): Promise<void> {
  const { records, log, now } = services;
  const { organizationId, id: webhookId } = webhook;
  const until = new Date(now().getTime() - leftAloneDays * 86_400_000);
  const answer = `left alone for ${leftAloneDays} days`;
  for (const delivery of await dueDeliveries(services, webhook, until, parkedAtOnce)) {
    const { messageId, tries } = delivery;
    // Before it is recorded: what is parked is never told without an alarm.
    const fields = { organizationId, webhookId, messageId, answer, tries };
    log.error('webhook delivery parked', new Error(answer), fields);
    await parkUntried(records, webhook, delivery, { answer, now: now() });
  }
}
