import { expect, test } from 'vitest';
import {
  findDelivery,
  replayDelivery,
  webhookOfDue,
} from '../../../../functions/domain/webhooks/delivery.ts';
import { countDeliveries, listDeliveries } from '../../../../functions/domain/webhooks/find-deliveries.ts';
import { queueEvents } from '../../../../functions/domain/webhooks/queue-events.ts';
import { confirming, ids, queued, sendFor } from './webhook-world.ts';

type Queued = Awaited<ReturnType<typeof queued>>;

/** Has the store show its stream: each new place of something due calls the run, half a second later. */
function stream({ records, clock, send }: Queued) {
  const transact = records.transact.bind(records);
  let hints = 0;
  records.transact = async (changes) => {
    const isNew = changes.some(
      ({ key, ...change }) => 'put' in change && webhookOfDue(key.pk) && !records.peek(key),
    );
    const held = await transact(changes);
    if (held && isNew) hints += 1;
    return held;
  };
  return async () => {
    for (let runs = 0; hints > 0 && runs < 100; runs++) {
      hints = 0;
      clock.advance(0.5);
      await send();
    }
  };
}

test('a failed delivery does not cause another run, nor does a new one while the receiver is down', async () => {
  const world = await queued(250);
  const { heard, receiver, services, send } = world;
  const shown = stream(world);
  receiver.answer = () => 'down';
  await send();
  await shown();
  const first = heard.length;
  expect(first).toBeLessThan(8);
  for (let position = 300; position < 310; position++) await queueEvents(services, [confirming(position)]);
  await shown();
  expect(heard).toHaveLength(first);
  receiver.answer = () => 204;
  await sendFor(world, 2);
  expect(new Set(ids(heard)).size).toBe(260);
});

test.each([302, 400, 404])('an answer %i is of one event: the others are sent', async (status) => {
  const world = await queued(20);
  world.receiver.answer = () => status;
  await world.send();
  expect(world.heard).toHaveLength(20);
});

test.each([408, 425, 429, 500, 503, 'down'] as const)(
  'four times %s in a row: the others wait',
  async (answer) => {
    const world = await queued(20);
    world.receiver.answer = () => answer;
    await world.send();
    expect(world.heard.length).toBeLessThan(8);
  },
);

test('a new delivery does not wait for those that keep failing', async () => {
  const world = await queued(60);
  const { heard, receiver, services } = world;
  receiver.answer = () => 500;
  await sendFor(world, 30);
  await queueEvents(services, [confirming(99)]);
  const good = `msg_${confirming(99).key.id}_confirmed`;
  receiver.answer = ({ headers }) => (headers['webhook-id'] === good ? 204 : 500);
  heard.length = 0;
  await world.send();
  expect(ids(heard)).toContain(good);
});

/** Changes the records of deliveries, as another version or a hand may have. */
async function spoil({ records, webhook }: Queued, messageIds: readonly string[], set: object) {
  const pk = `delivery#${webhook.organizationId}#${webhook.id}`;
  for (const sk of messageIds) await records.update({ key: { table: 'webhooks', pk, sk }, set: { ...set } });
}

test.each([
  ['type', { type: 'attestation.revoked' }],
  ['since', { since: 'soon' }],
])('deliveries with another %s are logged once, become dead letters and delay no others', async (_, set) => {
  const world = await queued(120);
  const { heard, receiver, records, webhook, messageIds, log } = world;
  await spoil(world, messageIds.slice(0, 115), set);
  receiver.answer = () => 500;
  await sendFor(world, 2);
  expect(new Set(ids(heard))).toEqual(new Set(messageIds.slice(115)));
  expect(log.messages('error')).toEqual(Array(115).fill('webhook event unreadable'));
  expect(await countDeliveries(records, webhook)).toEqual({ waiting: 5, deadLetters: 115 });
});

test('a delivery that was malformed can be replayed once it is repaired', async () => {
  const world = await queued(1);
  const { heard, records, webhook, messageIds, clock } = world;
  await spoil(world, messageIds, { type: 'attestation.revoked' });
  await world.send();
  expect(await listDeliveries(records, webhook, 'dead-letter')).toMatchObject([
    { messageId: messageIds[0], error: { message: 'stored delivery: type is missing or malformed' } },
  ]);
  await spoil(world, messageIds, { type: 'attestation.confirmed' });
  const [{ delivery } = {}] = await listDeliveries(records, webhook, 'dead-letter');
  expect(delivery && (await replayDelivery(records, webhook, delivery, clock.now()))).toBe(true);
  await world.send();
  expect(ids(heard)).toEqual(messageIds);
  expect(await countDeliveries(records, webhook)).toEqual({ waiting: 0, deadLetters: 0 });
});

test('a delivery that is gone or no longer due is skipped', async () => {
  const world = await queued(2);
  const { heard, records, webhook, messageIds } = world;
  const [gone = '', delivered = ''] = messageIds;
  await spoil(world, [delivered], { state: 'delivered' });
  const pk = `delivery#${webhook.organizationId}#${webhook.id}`;
  await records.update({ key: { table: 'webhooks', pk, sk: gone }, remove: true });
  await world.send();
  expect(heard).toEqual([]);
  expect(await countDeliveries(records, webhook)).toEqual({ waiting: 0, deadLetters: 0 });
  expect(await findDelivery(records, webhook, gone)).toBeUndefined();
});
