import * as z from 'zod';
import type { Key } from '../records.ts';
import { parseRecord, recordForm } from '../stored-record.ts';
import { dueDeliveries, type FoundDelivery, hasDue, recordTry } from './delivery.ts';
import type { QueueServices } from './queue-events.ts';
import { webhookHeaders } from './signature.ts';
import { findWebhook, signingSecrets, type Webhook, type WebhookKey } from './webhook.ts';

/** A request to a receiver. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A receiver that could not be asked; the message says why, and nothing of the URL. */
export class ReceiverUnreachableError extends Error {
  override readonly name = 'ReceiverUnreachableError';
}

/** Posts a request, and returns the status of the answer. @throws ReceiverUnreachableError */
export type Post = (request: WebhookRequest) => Promise<number>;

/** What sending takes. */
export interface SendServices extends QueueServices {
  readonly post: Post;
}

/** Time after which no further request is begun, in milliseconds: the function has 60 s, and a request takes up to 10. */
const sendingMilliseconds = 40_000;

/** Time after which the lease of a run that died is free: longer than a run takes. */
const leaseMilliseconds = 60_000;

/** Requests to one receiver at once, and how many may fail in a row: then it is taken to be down, until the next minute. */
const requestsAtOnce = 4;
const failuresInARow = 4;

const listed = 100;

/**
 * Sends what is due to these webhooks, all at once: one that is slow holds up no other, and neither does one whose records cannot be
 * read or written, though the run fails in the end.
 */
export async function sendDue(services: SendServices, webhooks: readonly WebhookKey[]): Promise<void> {
  const until = services.now().getTime() + sendingMilliseconds;
  const runs = await Promise.allSettled(webhooks.map((key) => sendTo(services, key, until)));
  for (const run of runs) if (run.status === 'rejected') throw run.reason;
}

const leaseForm = recordForm<{ readonly until: string }>({ until: z.string() });

/** Lets one run at a time send to a webhook: two would send the same twice. One that died gives way after a minute. */
async function sendTo(services: SendServices, key: WebhookKey, until: number): Promise<void> {
  const { records, now } = services;
  if (!(await hasDue(records, key, now()))) return;
  const lease: Key = { table: 'webhooks', pk: `lease#${key.organizationId}#${key.id}`, sk: 'lease' };
  const held = await records.get(lease);
  const before = held && parseRecord('webhook lease', leaseForm, held).until;
  if (before !== undefined && Date.parse(before) > now().getTime()) return;
  const mine = new Date(now().getTime() + leaseMilliseconds).toISOString();
  const expiresAt = Math.ceil(now().getTime() / 1000) + 86_400;
  if (!(await records.update({ key: lease, put: { until: mine, expiresAt }, expect: { until: before } })))
    return;
  try {
    const webhook = await findWebhook(records, key);
    if (webhook) await sendWhileDue(services, webhook, until);
  } finally {
    await records.update({ key: lease, remove: true, expect: { until: mine } });
  }
}

async function sendWhileDue(services: SendServices, webhook: Webhook, until: number): Promise<void> {
  let failures = 0;
  const goesOn = () => failures < failuresInARow && services.now().getTime() < until;
  while (goesOn()) {
    const due = (await dueDeliveries(services, webhook, services.now(), listed)).values();
    let sent = 0;
    const sendInTurn = async () => {
      for (const delivery of due) {
        if (!goesOn()) return;
        sent += 1;
        failures = (await send(services, webhook, delivery)) ? 0 : failures + 1;
      }
    };
    await Promise.all(Array.from({ length: requestsAtOnce }, sendInTurn));
    if (sent === 0) return;
  }
}

/**
 * Sends one event and records how that went. If the function dies between the two, or the answer is late, the event is sent again
 * with the same id. @returns whether it was delivered
 */
async function send(services: SendServices, webhook: Webhook, delivery: FoundDelivery): Promise<boolean> {
  const { records, log, now } = services;
  const { organizationId, id: webhookId } = webhook;
  const { messageId } = delivery;
  const { delivered, answer } = await ask(services, webhook, delivery);
  const state = await recordTry(records, webhook, delivery, { delivered, answer, now: now() });
  const fields = { organizationId, webhookId, messageId, answer, tries: delivery.tries + 1 };
  if (state === 'parked') log.error('webhook delivery parked', new Error(answer), fields);
  else if (!delivered) log.warn('webhook not answered', fields);
  return delivered;
}

async function ask({ post, now }: SendServices, webhook: Webhook, { messageId, body }: FoundDelivery) {
  const at = now();
  const headers = webhookHeaders({ messageId, at, body }, signingSecrets(webhook, at));
  try {
    const status = await post({ url: webhook.url, headers, body });
    return { delivered: status >= 200 && status < 300, answer: `HTTP ${status}` };
  } catch (error) {
    // Whatever else fails here is of this request too: it must not hold up the others.
    const isKnown = error instanceof ReceiverUnreachableError;
    return { delivered: false, answer: isKnown ? error.message : 'the request could not be made' };
  }
}
