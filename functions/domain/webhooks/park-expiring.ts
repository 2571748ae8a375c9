import { keptDays } from './delivery.ts';
import { dueDeliveries } from './find-deliveries.ts';
import type { QueueServices } from './queue-events.ts';
import { parkUntried } from './record-try.ts';
import type { WebhookKey } from './webhook.ts';

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
