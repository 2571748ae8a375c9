import { takeLease } from '../lease.ts';
import type { Change, Key } from '../records.ts';
import type { Delivery } from './delivery.ts';
import { dueDeliveries, hasDue } from './find-deliveries.ts';
import { currentHold, endExpiring, holdWebhook } from './hold.ts';
import { type Post, type PostResult, postEvent } from './post-event.ts';
import type { QueueServices } from './queue-events.ts';
import { recordTry, stateAfter } from './record-try.ts';
import { findWebhook, type Webhook, type WebhookKey } from './webhook.ts';

export interface SendServices extends QueueServices {
  readonly post: Post;
}

/** Milliseconds after which no further request starts. The function has 60 s, and a request takes up to 10 s. */
const sendingMilliseconds = 40_000;

/** Milliseconds after which the lease of a crashed run expires. Longer than a run takes. */
const leaseMilliseconds = 60_000;

/** Pause for a receiver that is down, from a run's start, so that the next minute's run tries again. */
const downMilliseconds = 50_000;

/** Concurrent requests to a receiver, and the consecutive failures after which no other request starts. */
const requestsAtOnce = 4;
const maxFailures = 4;

const pageSize = 100;

/** Sends due events to webhooks concurrently, so that none delays the others. @throws the first error at the end */
export async function sendDue(services: SendServices, webhooks: readonly WebhookKey[]): Promise<void> {
  const until = services.now().getTime() + sendingMilliseconds;
  await awaitAll(webhooks.map((key) => sendTo(services, key, until)));
}

/** Awaits all, even if one fails. @throws the first error */
async function awaitAll(runs: readonly Promise<void>[]): Promise<void> {
  for (const run of await Promise.allSettled(runs)) if (run.status === 'rejected') throw run.reason;
}

/** Sends a webhook's due events. A lease prevents concurrent runs. After a crash, it expires within a minute. */
async function sendTo(services: SendServices, key: WebhookKey, until: number): Promise<void> {
  const { records, now } = services;
  if (!(await hasDue(records, key, now()))) return;
  const lease: Key = { table: 'webhooks', pk: `lease#${key.organizationId}#${key.id}`, sk: 'lease' };
  const from = now().getTime();
  const expiresAt = Math.ceil(from / 1000) + 86_400;
  const leaseEnd = await takeLease(services, lease, leaseMilliseconds, { expiresAt });
  if (leaseEnd === undefined) return;
  const expect = { until: leaseEnd };
  let end: Change = { key: lease, remove: true, expect };
  try {
    const webhook = await findWebhook(records, key);
    if (!webhook) return;
    if (currentHold(webhook, now())) await endExpiring(services, webhook);
    else if (await sendWhileDue(services, webhook, until))
      end = { key: lease, set: { until: new Date(from + downMilliseconds).toISOString() }, expect };
  } finally {
    await records.update(end);
  }
}

/** Sends events until none is due. @returns whether the receiver is down */
async function sendWhileDue(services: SendServices, webhook: Webhook, until: number): Promise<boolean> {
  const { records, now } = services;
  let failures = 0;
  let isHeld = false;
  const mayContinue = () => !isHeld && failures < maxFailures && now().getTime() < until;
  do {
    const due = (await dueDeliveries(services, webhook, now(), pageSize)).values();
    const sendNext = async () => {
      for (const delivery of due) {
        if (!mayContinue()) return;
        const result = await send(services, webhook, delivery);
        failures = result.isDown ? failures + 1 : 0;
        isHeld ||= requestedHold(result, now()) !== undefined;
      }
    };
    await awaitAll(Array.from({ length: requestsAtOnce }, sendNext));
  } while (mayContinue() && (await hasDue(records, webhook, now())));
  return failures >= maxFailures;
}

/** Sends one event and records the result. After a crash between the two, the event is sent again with the same ID. */
async function send(services: SendServices, webhook: Webhook, delivery: Delivery): Promise<PostResult> {
  const { records, log, now } = services;
  const { organizationId, id: webhookId } = webhook;
  const { messageId } = delivery;
  const result = await postEvent(services, webhook, delivery);
  const { delivered, answer } = result;
  const tried = { ...result, now: now() };
  const fields = { organizationId, webhookId, messageId, answer, tries: delivery.tries + 1 };
  // Logged before it is recorded, so that no dead letter lacks an alarm.
  if (stateAfter(delivery, tried) === 'dead-letter')
    log.error('webhook delivery is a dead letter', new Error(answer), fields);
  else if (!delivered) log.warn('webhook delivery failed', fields);
  const hold = requestedHold(result, tried.now);
  if (hold) await holdWebhook(services, webhook, hold, fields);
  await recordTry(records, webhook, delivery, tried);
  return result;
}

/** Returns the hold that a receiver requests. A shorter pause than `downMilliseconds` only counts as a failure. */
function requestedHold({ isGone, isDown, retryAfterMilliseconds: pause }: PostResult, now: Date) {
  if (isGone) return { disabledAt: now.toISOString() };
  const wantsPause = isDown && pause >= downMilliseconds;
  return wantsPause ? { notBefore: new Date(now.getTime() + pause).toISOString() } : undefined;
}
