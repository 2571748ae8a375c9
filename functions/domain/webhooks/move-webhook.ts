import type { Records } from '../records.ts';
import { replayDelivery } from './delivery.ts';
import { deliveriesIn } from './find-deliveries.ts';
import { type WebhookKey, WebhookMissingError, webhookRecord } from './webhook.ts';

/**
 * Sends what is due from now on to this address; the secret stays. What the receiver at the address before said of itself, that
 * it is gone or is to be left alone, counts no more: what waits is due at once, and tried for three days from now on.
 *
 * @throws WebhookMissingError
 */
export async function moveWebhook(records: Records, key: WebhookKey, url: URL, now: Date): Promise<void> {
  const set = { url: url.href, disabledAt: undefined, notBefore: undefined };
  if (!(await records.transact([{ key: webhookRecord(key), set, ifPresent: true }])))
    throw new WebhookMissingError(key.id);
  // What was never tried is due, and its three days have not begun.
  for (const { delivery } of await deliveriesIn(records, key, 'retry'))
    if (delivery?.state === 'due') await replayDelivery(records, key, delivery, now);
}
