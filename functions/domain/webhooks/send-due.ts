import { takeLease } from '../lease.ts';
import type { Change, Key } from '../records.ts';
import type { FoundDelivery } from './delivery.ts';
import { dueDeliveries, hasDue } from './find-deliveries.ts';
import { endExpiring, type Hold, holdAt, holdWebhook } from './hold.ts';
import { type Post, type PostResult, postEvent } from './post-event.ts';
import type { QueueServices } from './queue-events.ts';
import { recordTry, stateAfter } from './record-try.ts';
import { findWebhook, type Webhook, type WebhookKey } from './webhook.ts';

/** What sending takes. */
export interface SendServices extends QueueServices {
  readonly post: Post;
}

/** Time after which no further request is begun, in milliseconds: the function has 60 s, and a request takes up to 10. */
const sendingMilliseconds = 40_000;

/** Time after which the lease of a run that died is free: longer than a run takes. */
const leaseMilliseconds = 60_000;

/** For so long from the run's beginning a receiver that is down is left alone: the next minute's run asks it, not what the stream shows. */
const downMilliseconds = 50_000;

/** Requests to one receiver at once, and after how many in a row that show it down no other is begun. */
const requestsAtOnce = 4;
const failuresInARow = 4;

const listed = 100;

/** Sends what is due to these webhooks at once: none that is slow, or whose records fail, holds up another; the run fails in the end. */
export async function sendDue(services: SendServices, webhooks: readonly WebhookKey[]): Promise<void> {
  const until = services.now().getTime() + sendingMilliseconds;
  await allEnded(webhooks.map((key) => sendTo(services, key, until)));
}

/** Awaits all, also behind one that fails. @throws what the first of them that failed threw */
async function allEnded(runs: readonly Promise<void>[]): Promise<void> {
  for (const run of await Promise.allSettled(runs)) if (run.status === 'rejected') throw run.reason;
}

/** Lets one run at a time send to a webhook: two would send the same twice. One that died gives way after a minute. */
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
  const goesOn = () => !held && failures < failuresInARow && now().getTime() < until;
  do {
    const due = (await dueDeliveries(services, webhook, now(), listed)).values();
    const sendInTurn = async () => {
      for (const delivery of due) {
        if (!goesOn()) return;
        const asked = await send(services, webhook, delivery);
        failures = asked.isDown ? failures + 1 : 0;
        held ||= holdOf(asked, now()) !== undefined;
      }
    };
    await allEnded(Array.from({ length: requestsAtOnce }, sendInTurn));
  } while (goesOn() && (await hasDue(records, webhook, now())));
  return failures >= failuresInARow;
}

/** Sends one event and records how that went. If it dies between the two, the event is sent again with the same id. */
async function send(services: SendServices, webhook: Webhook, delivery: FoundDelivery): Promise<PostResult> {
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

/** What a receiver said of itself, and not of one event. A shorter `Retry-After` than the pause of one that is down is a failure. */
function holdOf({ isGone, isDown, retryAfterMilliseconds: pause }: PostResult, now: Date): Hold | undefined {
  if (isGone) return { disabledAt: now.toISOString() };
  const asksForNone = isDown && pause >= downMilliseconds;
  return asksForNone ? { notBefore: new Date(now.getTime() + pause).toISOString() } : undefined;
}
