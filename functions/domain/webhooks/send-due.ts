import { takeLease } from '../lease.ts';
import type { Change, Key } from '../records.ts';
import type { Delivery } from './delivery.ts';
import { dueDeliveries, hasDue } from './find-deliveries.ts';
import { endExpiring, type Hold, holdAt, holdWebhook } from './hold.ts';
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

/** From a run's start, a receiver that is down gets no requests, so that the next minute's run tries again. */
const downMilliseconds = 50_000;

/** Concurrent requests to a receiver, and the consecutive failures after which no other request starts. */
const requestsAtOnce = 4;
const failuresInARow = 4;

const listed = 100;

/** Sends concurrently, so that a failing webhook delays no other. If one fails, the run fails at the end. */
export async function sendDue(services: SendServices, webhooks: readonly WebhookKey[]): Promise<void> {
  const until = services.now().getTime() + sendingMilliseconds;
  await allEnded(webhooks.map((key) => sendTo(services, key, until)));
}

/** Awaits all, even if one fails. @throws the first error */
async function allEnded(runs: readonly Promise<void>[]): Promise<void> {
  for (const run of await Promise.allSettled(runs)) if (run.status === 'rejected') throw run.reason;
}

/** The lease keeps concurrent runs from sending the same events. A crashed run's lease expires after a minute. */
async function sendTo(services: SendServices, key: WebhookKey, until: number): Promise<void> {
  const { records, now } = services;
  if (!(await hasDue(records, key, now()))) return;
  const lease: Key = { table: 'webhooks', pk: `lease#${key.organizationId}#${key.id}`, sk: 'lease' };
  const from = now().getTime();
  const expiresAt = Math.ceil(from / 1000) + 86_400;
  const mine = await takeLease(services, lease, leaseMilliseconds, { expiresAt });
  if (mine === undefined) return;
  const expect = { until: mine };
  let end: Change = { key: lease, remove: true, expect };
  try {
    const webhook = await findWebhook(records, key);
    if (!webhook) return;
    if (holdAt(webhook, now())) await endExpiring(services, webhook);
    else if (await sendWhileDue(services, webhook, until))
      end = { key: lease, set: { until: new Date(from + downMilliseconds).toISOString() }, expect };
  } finally {
    await records.update(end);
  }
}

/** @returns whether the receiver is down */
async function sendWhileDue(services: SendServices, webhook: Webhook, until: number): Promise<boolean> {
  const { records, now } = services;
  let failures = 0;
  let held = false;
  const continues = () => !held && failures < failuresInARow && now().getTime() < until;
  do {
    const due = (await dueDeliveries(services, webhook, now(), listed)).values();
    const sendInTurn = async () => {
      for (const delivery of due) {
        if (!continues()) return;
        const asked = await send(services, webhook, delivery);
        failures = asked.isDown ? failures + 1 : 0;
        held ||= holdOf(asked, now()) !== undefined;
      }
    };
    await allEnded(Array.from({ length: requestsAtOnce }, sendInTurn));
  } while (continues() && (await hasDue(records, webhook, now())));
  return failures >= failuresInARow;
}

/** Sends one event and records the result. After a crash between the two, the event is sent again with the same ID. */
async function send(services: SendServices, webhook: Webhook, delivery: Delivery): Promise<PostResult> {
  const { records, log, now } = services;
  const { organizationId, id: webhookId } = webhook;
  const { messageId } = delivery;
  const asked = await postEvent(services, webhook, delivery);
  const { delivered, answer } = asked;
  const tried = { ...asked, now: now() };
  const fields = { organizationId, webhookId, messageId, answer, tries: delivery.tries + 1 };
  // Logged before it is recorded, so that no dead letter lacks an alarm.
  if (stateAfter(delivery, tried) === 'dead-letter')
    log.error('webhook delivery is a dead letter', new Error(answer), fields);
  else if (!delivered) log.warn('webhook delivery failed', fields);
  const hold = holdOf(asked, tried.now);
  if (hold) await holdWebhook(services, webhook, hold, fields);
  await recordTry(records, webhook, delivery, tried);
  return asked;
}

/** A `Retry-After` shorter than the pause for a receiver that is down counts as a failure. */
function holdOf({ isGone, isDown, retryAfterMilliseconds: pause }: PostResult, now: Date): Hold | undefined {
  if (isGone) return { disabledAt: now.toISOString() };
  const asksForNone = isDown && pause >= downMilliseconds;
  return asksForNone ? { notBefore: new Date(now.getTime() + pause).toISOString() } : undefined;
}
