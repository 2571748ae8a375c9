import type { Records } from '../records.ts';
import { type Webhook, webhookRecord } from './webhook.ts';

/** What a receiver said of itself. */
export type Hold = Pick<Webhook, 'disabledAt' | 'notBefore'>;

/**
 * Notes what its receiver said of itself, the latest of several that are heard at once. Nothing is noted when it is at another
 * address by now, disabled, or removed.
 */
export async function holdWebhook(records: Records, webhook: Webhook, hold: Hold): Promise<void> {
  const expect = { url: webhook.url, disabledAt: undefined };
  await records.update({ key: webhookRecord(webhook), set: { ...hold }, expect });
}

/** Whether its receiver is to be left alone now. */
export function isHeld({ disabledAt, notBefore }: Webhook, now: Date): boolean {
  return disabledAt !== undefined || (notBefore !== undefined && Date.parse(notBefore) > now.getTime());
}
