import { expect, test } from 'vitest';
import { findDelivery } from '../../../../functions/domain/webhooks/delivery.ts';
import { countDeliveries, listDeliveries } from '../../../../functions/domain/webhooks/find-deliveries.ts';
import { moveWebhook } from '../../../../functions/domain/webhooks/hold.ts';
import type { WebhookAnswer } from '../../../../functions/domain/webhooks/post-event.ts';
import { queueEvents } from '../../../../functions/domain/webhooks/queue-events.ts';
import { sendDue } from '../../../../functions/domain/webhooks/send-due.ts';
import { findWebhook, removeWebhook } from '../../../../functions/domain/webhooks/webhook.ts';
import { confirmedChange, ids, queueMany, sendFor } from './webhook-world.ts';

type Queued = Awaited<ReturnType<typeof queueMany>>;

/** Returns the minutes at which one event is tried while the receiver gives this answer. */
async function minutesTried(answer: WebhookAnswer, minutes: number): Promise<number[]> {
  const world = await queueMany(1);
  const start = world.clock.now().getTime();
  const tried: number[] = [];
  world.receiver.answer = () => {
    tried.push((world.clock.now().getTime() - start) / 60_000);
    return answer;
  };
  await sendFor(world, minutes);
  return tried;
}

test.each([
  [429, '1200', 70, [0, 20, 40, 60]],
  [503, '1200', 70, [0, 20, 40, 60]],
  [503, 'Thu, 01 Jan 2026 00:30:00 GMT', 35, [0, 30, 32]],
  // A try is never sooner than without the header.
  [503, '5', 8, [0, 1, 3, 7]],
  [503, 'soon', 8, [0, 1, 3, 7]],
  [503, 'Thu, 01 Jan 1970 00:00:00 GMT', 8, [0, 1, 3, 7]],
])(
  'an event answered %i with `Retry-After: %s` is tried in %i minutes at %j',
  async (status, retryAfter, minutes, tried) => {
    expect(await minutesTried({ status, retryAfter }, minutes)).toEqual(tried);
  },
);

test('an event waits at most four hours, and is tried for the last time after three days', async () => {
  const tried = await minutesTried({ status: 503, retryAfter: '999999999' }, 80 * 60);
  expect(tried.slice(0, 3)).toEqual([0, 240, 480]);
  expect(tried.at(-1)).toBe(72 * 60);
});

test.each([429, 503])('no other event is sent in the pause that an answer %i requests', async (status) => {
  const world = await queueMany(20);
  const { received, receiver, services, messageIds, records, webhook } = world;
  receiver.answer = () => ({ status, retryAfter: '600' });
  await world.send();
  expect(received.length).toBeLessThan(5);
  received.length = 0;
  receiver.answer = () => 204;
  await queueEvents(services, [confirmedChange(99)]);
  await sendFor(world, 8);
  expect(received).toEqual([]);
  expect(await findWebhook(records, webhook)).toMatchObject({ notBefore: '2026-01-01T00:10:00.000Z' });
  await sendFor(world, 3);
  expect(ids(received).toSorted()).toEqual(
    [...messageIds, `msg_${confirmedChange(99).key.id}_confirmed`].toSorted(),
  );
});

test('a 404 with `Retry-After` for one event does not delay others', async () => {
  const world = await queueMany(20);
  const [poison] = world.messageIds;
  world.receiver.answer = ({ headers }) =>
    headers['webhook-id'] === poison ? { status: 404, retryAfter: '3600' } : 204;
  await sendFor(world, 30);
  expect(ids(world.received)).toEqual(world.messageIds);
});

test('`Retry-After` of a successful answer has no effect', async () => {
  const world = await queueMany(20);
  world.receiver.answer = () => ({ status: 204, retryAfter: '600' });
  await world.send();
  expect(ids(world.received)).toEqual(world.messageIds);
});

test('a stored delivery contains the length of the pause, but neither it nor the log contains a malformed header', async () => {
  const world = await queueMany(1);
  const [messageId = ''] = world.messageIds;
  world.receiver.answer = () => ({ status: 503, retryAfter: '90' });
  await world.send();
  const answer = 'HTTP 503, Retry-After 90 s';
  expect(await findDelivery(world.records, world.webhook, messageId)).toMatchObject({ answer });
  world.clock.advance(120);
  world.receiver.answer = () => ({ status: 503, retryAfter: 'whsec_secret' });
  await world.send();
  expect(await findDelivery(world.records, world.webhook, messageId)).toMatchObject({ answer: 'HTTP 503' });
  expect(JSON.stringify(world.log.lines)).not.toContain('whsec_');
});

test.each(['1', '49', undefined])(
  'a rate-limited receiver that answers `Retry-After: %s` does not count as down',
  async (retryAfter) => {
    const world = await queueMany(200);
    const { clock, receiver, records, webhook } = world;
    let taken = 0;
    // The receiver refuses every fifth request.
    receiver.answer = () => (++taken % 5 === 0 ? { status: 429, retryAfter } : 204);
    await world.send();
    expect(world.received).toHaveLength(200);
    expect(await findWebhook(records, webhook)).not.toHaveProperty('notBefore');
    clock.advance(60);
    await world.send();
    expect(await countDeliveries(records, webhook)).toEqual({ waiting: 8, deadLetters: 0 });
  },
);

test('a pause of 50 seconds that the receiver requested is recorded', async () => {
  const world = await queueMany(200);
  world.receiver.answer = () => (world.received.length === 5 ? { status: 429, retryAfter: '50' } : 204);
  await world.send();
  expect(world.received.length).toBeLessThan(20);
  const notBefore = '2026-01-01T00:00:50.000Z';
  expect(await findWebhook(world.records, world.webhook)).toMatchObject({ notBefore });
});

test('the longer `Retry-After` of two concurrent answers applies', async () => {
  for (const retryAfters of [
    ['7200', '60'],
    ['60', '7200'],
  ]) {
    const world = await queueMany(2);
    world.receiver.answer = () => ({ status: 503, retryAfter: retryAfters[world.received.length - 1] });
    await world.send();
    const notBefore = '2026-01-01T02:00:00.000Z';
    expect(await findWebhook(world.records, world.webhook)).toMatchObject({ notBefore });
  }
});

async function makeGone(events = 20): Promise<Queued> {
  const world = await queueMany(events);
  world.receiver.answer = () => 410;
  await world.send();
  world.receiver.answer = () => 204;
  return world;
}

test('an answer 410 disables the webhook, and a log line reports it', async () => {
  const world = await makeGone();
  const { received, log, records, webhook, services } = world;
  expect(received.length).toBeLessThan(5);
  expect(new Set(log.messages('error'))).toEqual(new Set(['webhook disabled']));
  expect(await findWebhook(records, webhook)).toMatchObject({ disabledAt: '2026-01-01T00:00:00.000Z' });
  received.length = 0;
  await queueEvents(services, [confirmedChange(99)]);
  await sendFor(world, 4 * 24 * 60);
  expect(received).toEqual([]);
  // No event is lost: all wait for the operator.
  expect(await countDeliveries(records, webhook)).toEqual({ waiting: 21, deadLetters: 0 });
});

test.each(['https://news.example.org/', 'https://other.example.org/'])(
  'waiting events of a disabled webhook are sent once an operator sets the address %s',
  async (address) => {
    const world = await makeGone();
    const { received, clock, records, webhook, messageIds } = world;
    clock.advance(10 * 86_400);
    received.length = 0;
    await moveWebhook(records, webhook, new URL(address), clock.now());
    await world.send();
    expect(ids(received).toSorted()).toEqual(messageIds.toSorted());
    expect(new Set(received.map(({ url }) => url))).toEqual(new Set([address]));
  },
);

test('a 410 after an operator moved or removed the webhook changes nothing', async () => {
  const world = await queueMany(2);
  const { records, webhook, services } = world;
  const moved = new URL('https://other.example.org/');
  const during = (act: () => Promise<void>): typeof services.post => {
    return async () => {
      await act();
      return { status: 410 };
    };
  };
  await sendDue(
    { ...services, post: during(() => moveWebhook(records, webhook, moved, world.clock.now())) },
    [webhook],
  );
  expect(await findWebhook(records, webhook)).toMatchObject({ url: moved.href });
  expect(await findWebhook(records, webhook)).not.toHaveProperty('disabledAt');
  expect(world.log.messages('error')).toEqual([]);
  await queueEvents(services, [confirmedChange(99)]);
  const remove = () => removeWebhook(records, webhook).catch(() => {});
  await sendDue({ ...services, post: during(remove) }, [webhook]);
  expect(await findWebhook(records, webhook)).toBeUndefined();
  expect(world.log.messages('error')).toEqual([]);
});

test('disabling a webhook is logged first, and if the run then dies, the next run disables it', async () => {
  const world = await queueMany(1);
  const { records, receiver, clock, webhook, log } = world;
  const { update } = records;
  receiver.answer = () => {
    records.update = () => Promise.reject(new Error('killed'));
    return 410;
  };
  await expect(world.send()).rejects.toThrow('killed');
  expect(log.messages('error')).toEqual(['webhook disabled']);
  records.update = update;
  receiver.answer = () => 410;
  clock.advance(60);
  await world.send();
  expect(await findWebhook(records, webhook)).toHaveProperty('disabledAt');
});

const day = 86_400;

/** Answer that requests the longest possible pause, four hours. */
const fourHours = { status: 503, retryAfter: '14400' };

async function sendForDays({ send, clock }: Queued, days: number): Promise<void> {
  for (let hour = 0; hour < 24 * days; hour++) {
    await send();
    clock.advance(3_600);
  }
}

const move = ({ records, webhook, clock }: Queued, url = webhook.url) =>
  moveWebhook(records, webhook, new URL(url), clock.now());

test('the three days of an event start at its first try', async () => {
  const world = await queueMany(20);
  const { receiver, clock, records, webhook, received } = world;
  receiver.answer = () => fourHours;
  await world.send();
  const first = new Set(ids(received));
  clock.advance(4 * day);
  receiver.answer = () => 500;
  await world.send();
  const deadLetters = await listDeliveries(records, webhook, 'dead-letter');
  expect(deadLetters.length).toBeGreaterThan(0);
  expect(deadLetters.filter(({ messageId }) => !first.has(messageId))).toEqual([]);
  expect(new Set(ids(received)).size).toBeGreaterThan(first.size);
});

test.each([
  ['410', 410],
  ['a long `Retry-After`', fourHours],
])(
  'the three days of events that wait behind %s restart when an operator repeats the address',
  async (_, answer) => {
    const world = await queueMany(20);
    const { receiver, clock, records, webhook, send } = world;
    receiver.answer = () => answer;
    await send();
    clock.advance(4 * day);
    await move(world);
    receiver.answer = () => 500;
    for (let minute = 0; minute < 60; minute++) {
      await send();
      clock.advance(60);
    }
    expect(await countDeliveries(records, webhook)).toEqual({ waiting: 20, deadLetters: 0 });
  },
);

test.each([
  ['410', 410],
  ['a `Retry-After` of four hours each time', fourHours],
])(
  'an event that is untried because of %s becomes a dead letter the day before it expires, with an alarm',
  async (_, answer) => {
    const world = await queueMany(500);
    const { receiver, records, webhook, clock, messageIds, log } = world;
    receiver.answer = () => answer;
    const untried = async () => {
      const found = await Promise.all(messageIds.map((id) => findDelivery(records, webhook, id)));
      return found.flatMap((one) => (one?.tries === 0 ? [one] : []));
    };
    await sendForDays(world, 29);
    const before = await untried();
    expect(before.length).toBeGreaterThan(0);
    expect(before.filter(({ state }) => state !== 'due')).toEqual([]);
    await sendForDays(world, 1);
    const after = await untried();
    expect(after.length).toBeGreaterThan(0);
    const expiresAt = clock.now().getTime() / 1000 + 29 * day;
    for (const one of after) {
      expect(one).toMatchObject({ state: 'dead-letter', answer: 'not contacted for 29 days' });
      expect(one.expiresAt).toBeGreaterThanOrEqual(expiresAt);
    }
    const { deadLetters, waiting } = await countDeliveries(records, webhook);
    expect(deadLetters + waiting).toBe(500);
    expect(log.messages('error').filter((line) => line === 'webhook delivery is a dead letter')).toHaveLength(
      deadLetters,
    );
  },
);

test('a dead letter is logged before it is stored, even if the run then dies', async () => {
  const world = await queueMany(1);
  const { receiver, records, clock, log } = world;
  receiver.answer = () => 410;
  await world.send();
  clock.advance(30 * day);
  records.transact = () => Promise.reject(new Error('killed'));
  await expect(world.send()).rejects.toThrow('killed');
  expect(log.messages('error')).toEqual(['webhook disabled', 'webhook delivery is a dead letter']);
});
