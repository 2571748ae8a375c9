import { expect, test } from 'vitest';
import { findDelivery } from '../../../../functions/domain/webhooks/delivery.ts';
import { countDeliveries, deliveriesIn } from '../../../../functions/domain/webhooks/find-deliveries.ts';
import { moveWebhook } from '../../../../functions/domain/webhooks/move-webhook.ts';
import { ids, queued } from './hear.ts';

type Queued = Awaited<ReturnType<typeof queued>>;

const day = 86_400;

/** Asks for nothing for four hours, as long as that may be. */
const fourHours = { status: 503, retryAfter: '14400' };

/** Sends once an hour for so many days. */
async function sendForDays({ send, clock }: Queued, days: number): Promise<void> {
  for (let hour = 0; hour < 24 * days; hour++) {
    await send();
    clock.advance(3_600);
  }
}

const move = ({ records, webhook, clock }: Queued, url = webhook.url) =>
  moveWebhook(records, webhook, new URL(url), clock.now());

test('counts the three days of an event from its first try', async () => {
  const world = await queued(20);
  const { receiver, clock, records, webhook, heard } = world;
  receiver.answer = () => fourHours;
  await world.send();
  const first = new Set(ids(heard));
  clock.advance(4 * day);
  receiver.answer = () => 500;
  await world.send();
  const parked = await deliveriesIn(records, webhook, 'parked');
  expect(parked.length).toBeGreaterThan(0);
  expect(parked.filter(({ messageId }) => !first.has(messageId))).toEqual([]);
  expect(new Set(ids(heard)).size).toBeGreaterThan(first.size);
});

test.each([
  ['410', 410],
  ['a long `Retry-After`', fourHours],
])(
  'behind %s, an operator who gives the address again gives what waits three days from then on',
  async (_, answer) => {
    const world = await queued(20);
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
    expect(await countDeliveries(records, webhook)).toEqual({ waiting: 20, parked: 0 });
  },
);

test('the new address is asked within a minute, whatever the old one asked for', async () => {
  const world = await queued(20);
  const { receiver, heard, messageIds, send, clock } = world;
  receiver.answer = () => fourHours;
  await send();
  heard.length = 0;
  receiver.answer = () => 204;
  await move(world, 'https://other.example.org/');
  clock.advance(60);
  await send();
  expect(ids(heard).toSorted()).toEqual(messageIds.toSorted());
  expect(new Set(heard.map(({ url }) => url))).toEqual(new Set(['https://other.example.org/']));
});

test.each([
  ['410', 410],
  ['a `Retry-After` of four hours each time', fourHours],
])(
  'behind %s, what was never tried is parked the day before it expires, and the log says so',
  async (_, answer) => {
    const world = await queued(500);
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
      expect(one).toMatchObject({ state: 'parked', answer: 'left alone for 29 days' });
      expect(one.expiresAt).toBeGreaterThanOrEqual(expiresAt);
    }
    const { parked, waiting } = await countDeliveries(records, webhook);
    expect(parked + waiting).toBe(500);
    expect(log.messages('error').filter((line) => line === 'webhook delivery parked')).toHaveLength(parked);
  },
);

test('a run that dies when it parks what waited has said so before', async () => {
  const world = await queued(1);
  const { receiver, records, clock, log } = world;
  receiver.answer = () => 410;
  await world.send();
  clock.advance(30 * day);
  records.transact = () => Promise.reject(new Error('killed'));
  await expect(world.send()).rejects.toThrow('killed');
  expect(log.messages('error')).toEqual(['webhook disabled', 'webhook delivery parked']);
});
