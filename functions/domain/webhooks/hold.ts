import type { Fields } from '../records.ts';
import type { Services } from '../services.ts';
import { findWebhook, type Webhook, webhookRecord } from './webhook.ts';

/** What a receiver said of itself. */
export type Hold = Pick<Webhook, 'disabledAt' | 'notBefore'>;

/**
 * Notes what its receiver said of itself, of several times that are heard at once the latest. Nothing is noted when it is at
 * another address by now, disabled, or removed.
 *
 * @param said what the log says of a webhook that is disabled
 */
export async function holdWebhook(
  services: Pick<Services, 'records' | 'log'>,
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
