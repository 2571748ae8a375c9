import { expect, test } from 'vitest';
import {
  findDelivery,
  replayDelivery,
  webhookOfDue,
} from '../../../../functions/domain/webhooks/delivery.ts';
import { countDeliveries, listDeliveries } from '../../../../functions/domain/webhooks/find-deliveries.ts';
import { queueEvents } from '../../../../functions/domain/webhooks/queue-events.ts';
import { confirmedChange, ids, queueMany, sendFor } from './webhook-world.ts';

type Queued = Awaited<ReturnType<typeof queueMany>>;

/** Follows the store's stream. @returns a function that runs the sender half a second after each new due entry */
function followStream({ records, clock, send }: Queued) {
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
  const world = await queueMany(250);
  const { received, receiver, services, send } = world;
  const shown = followStream(world);
  receiver.answer = () => 'down';
  await send();
  await shown();
  const first = received.length;
  expect(first).toBeLessThan(8);
  for (let position = 300; position < 310; position++)
    await queueEvents(services, [confirmedChange(position)]);
  await shown();
  expect(received).toHaveLength(first);
  receiver.answer = () => 204;
  await sendFor(world, 2);
  expect(new Set(ids(received)).size).toBe(260);
});

test.each([302, 400, 404])('an answer %i affects one event, and the others are sent', async (status) => {
  const world = await queueMany(20);
  world.receiver.answer = () => status;
  await world.send();
  expect(world.received).toHaveLength(20);
});

test.each([408, 425, 429, 500, 503, 'down'] as const)(
  'four answers %s in a row stop the other events',
  async (answer) => {
    const world = await queueMany(20);
    world.receiver.answer = () => answer;
    await world.send();
    expect(world.received.length).toBeLessThan(8);
  },
);

test('a new delivery does not wait for those that keep failing', async () => {
  const world = await queueMany(60);
  const { received, receiver, services } = world;
  receiver.answer = () => 500;
  await sendFor(world, 30);
  await queueEvents(services, [confirmedChange(99)]);
  const good = `msg_${confirmedChange(99).key.id}_confirmed`;
  receiver.answer = ({ headers }) => (headers['webhook-id'] === good ? 204 : 500);
  received.length = 0;
  await world.send();
  expect(ids(received)).toContain(good);
});

/** Changes the records of deliveries, as another version or an operator could. */
async function changeDeliveries({ records, webhook }: Queued, messageIds: readonly string[], set: object) {
  const pk = `delivery#${webhook.organizationId}#${webhook.id}`;
  for (const sk of messageIds) await records.update({ key: { table: 'webhooks', pk, sk }, set: { ...set } });
}

test.each([
  ['type', { type: 'attestation.revoked' }],
  ['since', { since: 'soon' }],
])('malformed deliveries (%s) are logged once, become dead letters and delay no others', async (_, set) => {
  const world = await queueMany(120);
  const { received, receiver, records, webhook, messageIds, log } = world;
  await changeDeliveries(world, messageIds.slice(0, 115), set);
  receiver.answer = () => 500;
  await sendFor(world, 2);
  expect(new Set(ids(received))).toEqual(new Set(messageIds.slice(115)));
  expect(log.messages('error')).toEqual(Array(115).fill('webhook event unreadable'));
  expect(await countDeliveries(records, webhook)).toEqual({ waiting: 5, deadLetters: 115 });
});

test('a delivery that was malformed can be replayed once it is repaired', async () => {
  const world = await queueMany(1);
  const { received, records, webhook, messageIds, clock } = world;
  await changeDeliveries(world, messageIds, { type: 'attestation.revoked' });
  await world.send();
  expect(await listDeliveries(records, webhook, 'dead-letter')).toMatchObject([
    { messageId: messageIds[0], error: { message: 'stored delivery: type is missing or malformed' } },
  ]);
  await changeDeliveries(world, messageIds, { type: 'attestation.confirmed' });
  const [{ delivery } = {}] = await listDeliveries(records, webhook, 'dead-letter');
  expect(delivery && (await replayDelivery(records, webhook, delivery, clock.now()))).toBe(true);
  await world.send();
  expect(ids(received)).toEqual(messageIds);
  expect(await countDeliveries(records, webhook)).toEqual({ waiting: 0, deadLetters: 0 });
});

test('a delivery that is gone or no longer due is skipped', async () => {
  const world = await queueMany(2);
  const { received, records, webhook, messageIds } = world;
  const [gone = '', delivered = ''] = messageIds;
  await changeDeliveries(world, [delivered], { state: 'delivered' });
  const pk = `delivery#${webhook.organizationId}#${webhook.id}`;
  await records.update({ key: { table: 'webhooks', pk, sk: gone }, remove: true });
  await world.send();
  expect(received).toEqual([]);
  expect(await countDeliveries(records, webhook)).toEqual({ waiting: 0, deadLetters: 0 });
  expect(await findDelivery(records, webhook, gone)).toBeUndefined();
});
