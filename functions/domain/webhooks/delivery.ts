import * as z from 'zod';
import type { Change, Key, Records, Stored } from '../records.ts';
import type { Services } from '../services.ts';
import { parseRecord, parseReported, recordForm } from '../stored-record.ts';
import type { EventType, WebhookEvent } from './event.ts';
import type { WebhookKey } from './webhook.ts';

const states = ['due', 'delivered', 'parked'] as const;

/** One event for one webhook. */
export interface Delivery {
  readonly type: EventType;
  readonly attestationId: string;
  readonly body: string;
  /** `due`: it waits for its next try. `parked`: nothing is tried any more, until an operator replays it. */
  readonly state: (typeof states)[number];
  readonly queuedAt: string;
  /** Since when it is tried: when it was queued, or replayed. */
  readonly since: string;
  /** Time of its next try; of its last one, once it is not due. */
  readonly tryAt: string;
  /** Tries since then. */
  readonly tries: number;
  /** What the receiver answered last, in words: never a body. */
  readonly answer?: string;
  /** Time when the store forgets it, in seconds since 1970. */
  readonly expiresAt: number;
}

const deliveryForm = recordForm<Delivery>(
  {
    type: z.enum(['attestation.confirmed', 'attestation.failed', 'attestation.linked']),
    attestationId: z.string(),
    body: z.string(),
    state: z.enum(states),
    queuedAt: z.string(),
    since: z.string(),
    tryAt: z.string(),
    tries: z.number(),
    expiresAt: z.number(),
  },
  { answer: z.string() },
);

type Reading = Pick<Services, 'records' | 'log'>;

/** Days for which a delivery is kept: while it is, the same event is not queued twice. */
const keptDays = 30;

/** Time for which an event is tried, in milliseconds. */
export const tryingMilliseconds = 72 * 3_600_000;

const longestPauseMinutes = 240;

const partitionOf = (kind: string, { organizationId, id }: WebhookKey) => `${kind}#${organizationId}#${id}`;

const deliveryRecord = (webhook: WebhookKey, messageId: string): Key => ({
  ...{ table: 'webhooks', pk: partitionOf('delivery', webhook), sk: messageId },
});

/** Its place in the order of what is due, which is all that this record says. */
const dueRecord = (webhook: WebhookKey, tryAt: string, messageId: string): Key => ({
  ...{ table: 'webhooks', pk: partitionOf('due', webhook), sk: `${tryAt}#${messageId}` },
});

const parkedRecord = (webhook: WebhookKey, messageId: string): Key => ({
  ...{ table: 'webhooks', pk: partitionOf('parked', webhook), sk: messageId },
});

/** The webhook of a partition of what is due; `undefined` for any other partition. */
export function webhookOfDue(pk: string): WebhookKey | undefined {
  const [kind, organizationId, id] = pk.split('#');
  return kind === 'due' && organizationId && id ? { organizationId, id } : undefined;
}

const expiryFrom = (time: Date): number => Math.ceil(time.getTime() / 1000) + keptDays * 86_400;

/** Queues an event for a webhook, due at once. @returns false when it was queued before */
export function queueDelivery(
  records: Records,
  webhook: WebhookKey,
  event: WebhookEvent,
  now: Date,
): Promise<boolean> {
  const { type, id: attestationId, body, messageId } = event;
  const at = now.toISOString();
  const times = { queuedAt: at, since: at, tryAt: at, tries: 0, expiresAt: expiryFrom(now) };
  const put = { type, attestationId, body, state: 'due', ...times };
  return records.transact([
    { key: deliveryRecord(webhook, messageId), put, ifAbsent: true },
    { key: dueRecord(webhook, at, messageId), put: { expiresAt: times.expiresAt } },
  ]);
}

/** A delivery with its id. */
export interface FoundDelivery extends Delivery {
  readonly messageId: string;
}

export async function findDelivery(
  records: Records,
  webhook: WebhookKey,
  messageId: string,
): Promise<FoundDelivery | undefined> {
  const fields = await records.get(deliveryRecord(webhook, messageId));
  return fields && { ...parseRecord('delivery', deliveryForm, fields), messageId };
}

/** Reads deliveries. A malformed one is reported and left out, so that it holds up no other. */
async function findAll(
  { records, log }: Reading,
  { organizationId, id }: WebhookKey,
  ids: readonly string[],
) {
  const found = await records.getAll(ids.map((one) => deliveryRecord({ organizationId, id }, one)));
  return found.flatMap((fields, position) => {
    const messageId = ids[position] ?? '';
    const report = (error: Error) =>
      log.error('webhook event unreadable', error, { organizationId, webhookId: id, messageId });
    const delivery = fields && parseReported(() => parseRecord('delivery', deliveryForm, fields), report);
    return delivery ? [{ ...delivery, messageId }] : [];
  });
}

/** What is due by a time, in its order. */
function listDue(records: Records, webhook: WebhookKey, until: Date, limit: number): Promise<Stored[]> {
  const { table, pk } = dueRecord(webhook, '', '');
  // A dollar sign follows the number sign: what is due at that very time is listed too.
  return records.list({ table, pk, before: `${until.toISOString()}$`, limit });
}

/** Whether anything is due by a time. */
export async function hasDue(records: Records, webhook: WebhookKey, until: Date): Promise<boolean> {
  return (await listDue(records, webhook, until, 1)).length > 0;
}

/** The deliveries that are due by a time, the longest due first. */
export async function dueDeliveries(
  services: Reading,
  webhook: WebhookKey,
  until: Date,
  limit: number,
): Promise<FoundDelivery[]> {
  const found = await listDue(services.records, webhook, until, limit);
  const ids = found.map(({ key }) => key.sk.slice(key.sk.indexOf('#') + 1));
  return ids.length === 0 ? [] : findAll(services, webhook, ids);
}

/** How many deliveries wait for a try, and the parked ones, up to a limit. */
export async function waitingDeliveries(services: Reading, webhook: WebhookKey, limit: number) {
  const { records } = services;
  const { table, pk } = dueRecord(webhook, '', '');
  const [due, parked] = await Promise.all([
    records.list({ table, pk, limit }),
    records.list({ table, pk: parkedRecord(webhook, '').pk, limit }),
  ]);
  const ids = parked.map(({ key }) => key.sk);
  return { due: due.length, parked: await findAll(services, webhook, ids) };
}

/** Pause before the next try, in minutes: as long again as it was tried before, at most four hours. */
const pauseMinutes = (tries: number): number => Math.min(2 ** (tries - 1), longestPauseMinutes);

/** What became of a try. */
export interface Tried {
  readonly delivered: boolean;
  readonly answer: string;
  readonly now: Date;
}

/**
 * Records a try: delivered, due again after a pause, or parked after three days.
 *
 * @returns its state now; `undefined` when something else recorded one meanwhile
 */
export async function recordTry(
  records: Records,
  webhook: WebhookKey,
  before: FoundDelivery,
  { delivered, answer, now }: Tried,
): Promise<Delivery['state'] | undefined> {
  const { messageId, tryAt: triedAt } = before;
  const tries = before.tries + 1;
  const last = Date.parse(before.since) + tryingMilliseconds;
  const state = delivered ? 'delivered' : now.getTime() >= last ? 'parked' : 'due';
  const next = new Date(Math.min(now.getTime() + pauseMinutes(tries) * 60_000, last));
  const tryAt = (state === 'due' ? next : now).toISOString();
  const expiresAt = expiryFrom(now);
  const further: Change[] = [];
  if (state === 'due') further.push({ key: dueRecord(webhook, tryAt, messageId), put: { expiresAt } });
  if (state === 'parked') further.push({ key: parkedRecord(webhook, messageId), put: { expiresAt } });
  const held = await records.transact([
    {
      key: deliveryRecord(webhook, messageId),
      expect: { tryAt: triedAt, state: 'due', tries: before.tries },
      set: { state, tries, tryAt, answer, expiresAt },
    },
    { key: dueRecord(webhook, triedAt, messageId), remove: true },
    ...further,
  ]);
  return held ? state : undefined;
}

/** Makes a delivery due at once, whatever its state. @returns false when something else changed it meanwhile */
export function replayDelivery(
  records: Records,
  webhook: WebhookKey,
  { messageId, state, tryAt: before }: FoundDelivery,
  now: Date,
): Promise<boolean> {
  const at = now.toISOString();
  const expiresAt = expiryFrom(now);
  return records.transact([
    {
      key: deliveryRecord(webhook, messageId),
      expect: { state, tryAt: before },
      set: { state: 'due', since: at, tryAt: at, tries: 0, expiresAt },
    },
    ...(before === at ? [] : [{ key: dueRecord(webhook, before, messageId), remove: true } as const]),
    { key: dueRecord(webhook, at, messageId), put: { expiresAt } },
    { key: parkedRecord(webhook, messageId), remove: true },
  ]);
}
