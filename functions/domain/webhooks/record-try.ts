import type { Change, Records } from '../records.ts';
import {
  type Delivery,
  deadLetterRecord,
  deliveryRecord,
  dueRecord,
  expiryFrom,
  maxPauseMilliseconds,
} from './delivery.ts';
import type { PostResult } from './post-event.ts';
import type { WebhookKey } from './webhook.ts';

/** Time for which an event is tried, from its first attempt on, in milliseconds. */
const tryingMilliseconds = 72 * 3_600_000;

/** Pause before the next attempt, in milliseconds: it doubles each time, up to four hours. */
const pauseMilliseconds = (tries: number): number =>
  Math.min(2 ** (tries - 1) * 60_000, maxPauseMilliseconds);

export type TryResult = Pick<PostResult, 'delivered' | 'answer' | 'retryAfterMilliseconds'> & {
  readonly now: Date;
};

/** Returns the time of a delivery's first attempt, which may be the current one. */
const firstTryAt = ({ tries, since }: Delivery, now: Date): string =>
  tries === 0 ? now.toISOString() : since;

/** Returns the time of the last retry, in milliseconds since 1970. */
const retryDeadline = (before: Delivery, now: Date): number =>
  Date.parse(firstTryAt(before, now)) + tryingMilliseconds;

/** Returns the state after an attempt: delivered, due again, or a dead letter after three days. */
export function stateAfter(before: Delivery, { delivered, now }: TryResult): Delivery['state'] {
  if (delivered) return 'delivered';
  return now.getTime() >= retryDeadline(before, now) ? 'dead-letter' : 'due';
}

/** Records an attempt, unless another run recorded one meanwhile. A delivery that is due again waits for a pause. */
export async function recordTry(records: Records, webhook: WebhookKey, before: Delivery, result: TryResult) {
  const { answer, now } = result;
  const state = stateAfter(before, result);
  const tries = before.tries + 1;
  const pause = Math.max(pauseMilliseconds(tries), result.retryAfterMilliseconds);
  const next = new Date(Math.min(now.getTime() + pause, retryDeadline(before, now)));
  const tryAt = (state === 'due' ? next : now).toISOString();
  const since = firstTryAt(before, now);
  await record(records, webhook, before, { state, tries, since, tryAt, answer, expiresAt: expiryFrom(now) });
}

/** Turns a due delivery into a dead letter without an attempt, unless another run recorded an attempt meanwhile. */
export async function endWithoutTry(
  records: Records,
  webhook: WebhookKey,
  before: Delivery,
  { answer, now }: Pick<TryResult, 'answer' | 'now'>,
): Promise<void> {
  const { tries, since, tryAt } = before;
  const expiresAt = expiryFrom(now);
  await record(records, webhook, before, { state: 'dead-letter', tries, since, tryAt, answer, expiresAt });
}

type Update = Pick<Delivery, 'state' | 'tries' | 'since' | 'tryAt' | 'expiresAt'> & { answer: string };

async function record(records: Records, webhook: WebhookKey, before: Delivery, set: Update) {
  const { messageId } = before;
  const { state, expiresAt } = set;
  const extra: Change[] = [];
  if (state === 'due') extra.push({ key: dueRecord(webhook, { ...set, messageId }), put: { expiresAt } });
  if (state === 'dead-letter') extra.push({ key: deadLetterRecord(webhook, messageId), put: { expiresAt } });
  await records.transact([
    {
      key: deliveryRecord(webhook, messageId),
      expect: { tryAt: before.tryAt, state: 'due', tries: before.tries },
      set,
    },
    { key: dueRecord(webhook, before), remove: true },
    ...extra,
  ]);
}
