import type { Services } from '../../../functions/domain/services.ts';
import { queueEvents } from '../../../functions/domain/webhooks/queue-events.ts';
import { sendDue } from '../../../functions/domain/webhooks/send-due.ts';
import { createWebhook } from '../../../functions/domain/webhooks/webhook.ts';
import { confirming } from '../../functions/domain/webhooks/hear.ts';

/** Has a receiver refuse an event that has been tried for three days. */
export async function refuseWebhook(services: Services, status = 500): Promise<void> {
  const change = confirming();
  const { organizationId } = change.key;
  const url = new URL('https://news.example.org/');
  const { now } = services;
  const threeDaysAgo = () => new Date(now().getTime() - 72 * 3_600_000);
  const before = { ...services, now: threeDaysAgo };
  const webhook = await createWebhook(services, { organizationId, url, now: threeDaysAgo() });
  await queueEvents(before, [change]);
  await sendDue({ ...before, post: async () => ({ status: 500 }) }, [webhook]);
  await sendDue({ ...services, post: async () => ({ status }) }, [webhook]);
}

/** Has the stream show a row that is malformed. */
export async function queueMalformed(services: Services): Promise<void> {
  const change = confirming();
  await queueEvents(services, [{ ...change, after: { ...change.after, salt: 7 } }]);
}
