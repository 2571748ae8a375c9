import { setImmediate as immediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { findDelivery } from '../../../../functions/domain/webhooks/delivery.ts';
import { countDeliveries, listDeliveries } from '../../../../functions/domain/webhooks/find-deliveries.ts';
import { queueEvents } from '../../../../functions/domain/webhooks/queue-events.ts';
import { sendDue } from '../../../../functions/domain/webhooks/send-due.ts';
import { removeWebhook, rotateSecret } from '../../../../functions/domain/webhooks/webhook.ts';
import { confirmedChange, createHook, ids, isSignedBy, queueMany, sendFor } from './webhook-world.ts';

test('every attempt has the same id and body, with its own time and signature by Standard Webhooks', async () => {
  const world = await queueMany(1);
  world.receiver.answer = () => 500;
  await sendFor(world, 3);
  const { received, webhook, messageIds } = world;
  expect(ids(received)).toEqual(Array(3).fill(messageIds[0]));
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  const start = Date.parse('2026-01-01T00:00:00Z') / 1000;
  const times = received.map(({ headers }) => Number(headers['webhook-timestamp']) - start);
  expect(times).toEqual([0, 60, 180]);
  expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  for (const request of received) {
    expect(request.url).toBe('https://news.example.org/');
    expect(isSignedBy(webhook.secret, request)).toBe(true);
    expect(isSignedBy(`whsec_${'A'.repeat(43)}=`, request)).toBe(false);
  }
});

test('an event is tried with growing pauses for three days, then becomes a dead letter, with an alarm', async () => {
  const world = await queueMany(1);
  const { clock, received, receiver, services, webhook, log } = world;
  const start = clock.now().getTime();
  const minutes: number[] = [];
  receiver.answer = () => {
    minutes.push((clock.now().getTime() - start) / 60_000);
    return 500;
  };
  await sendFor(world, 80 * 60);
  expect(minutes.slice(0, 10)).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 495]);
  expect(minutes.at(-1)).toBe(72 * 60);
  expect(await countDeliveries(services.records, webhook)).toEqual({ waiting: 0, deadLetters: 1 });
  expect(await listDeliveries(services.records, webhook, 'dead-letter')).toMatchObject([
    { delivery: { answer: 'HTTP 500', tries: received.length } },
  ]);
  expect(log.messages('error')).toEqual(['webhook delivery is a dead letter']);
});

test.each([
  [200, true],
  [299, true],
  [302, false],
])('an answer %i counts as a delivery: %s', async (status, delivered) => {
  const world = await queueMany(1);
  world.receiver.answer = () => status;
  await world.send();
  const [messageId = ''] = world.messageIds;
  expect(await findDelivery(world.records, world.webhook, messageId)).toMatchObject({
    state: delivered ? 'delivered' : 'due',
    answer: `HTTP ${status}`,
  });
});

test('a request that cannot be made does not block others', async () => {
  const world = await queueMany(12);
  const { services, webhook, messageIds } = world;
  const post: typeof services.post = async (request) => {
    if (request.headers['webhook-id'] === messageIds[0]) throw new TypeError('Invalid character in header');
    return services.post(request);
  };
  await sendDue({ ...services, post }, [webhook]);
  expect(ids(world.received)).toEqual(messageIds.slice(1));
  const [first = ''] = messageIds;
  expect(await findDelivery(world.records, webhook, first)).toMatchObject({
    ...{ state: 'due', tries: 1, answer: 'the request could not be sent' },
  });
  // The fault is the service's own, and the log contains it.
  expect(world.log.lines).toContainEqual(
    expect.objectContaining({ message: 'webhook request not sent', error: expect.any(TypeError) }),
  );
});

test('an unreachable webhook does not block others', async () => {
  const world = await queueMany(30);
  const other = await createHook(world, 'other');
  await queueEvents(world.services, [confirmedChange(99)]);
  world.receiver.answer = ({ url }) => (url.endsWith('other') ? 204 : 'down');
  await sendDue(world.services, [world.webhook, other]);
  expect(world.received.filter(({ url }) => url.endsWith('other'))).toHaveLength(1);
});

test('concurrent runs send nothing twice', async () => {
  const world = await queueMany(20);
  await Promise.all([world.send(), world.send(), world.send()]);
  expect(ids(world.received)).toEqual(world.messageIds);
});

test('an event whose run dies after sending it is sent again, with the same id', async () => {
  const world = await queueMany(1);
  const { records, received, clock } = world;
  const transact = records.transact.bind(records);
  records.transact = () => Promise.reject(new Error('killed'));
  await expect(world.send()).rejects.toThrow('killed');
  records.transact = transact;
  await world.send();
  expect(ids(received)).toEqual([...world.messageIds, ...world.messageIds]);
  clock.advance(3_600);
  await world.send();
  expect(received).toHaveLength(2);
});

test('a dead letter is logged before it is stored, so the log has it even if the run dies', async () => {
  const world = await queueMany(1);
  world.receiver.answer = () => 500;
  await world.send();
  world.clock.advance(73 * 3_600);
  world.records.transact = () => Promise.reject(new Error('killed'));
  await expect(world.send()).rejects.toThrow('killed');
  expect(world.log.messages('error')).toEqual(['webhook delivery is a dead letter']);
});

test('a run that cannot record a request keeps its lease until its other requests have ended', async () => {
  const world = await queueMany(4);
  const { records, services, webhook, received, messageIds } = world;
  const transact = records.transact.bind(records);
  const { promise: refused, resolve: refuse } = Promise.withResolvers<void>();
  records.transact = (changes) => {
    if (changes.every(({ key }) => key.sk !== messageIds[0])) return transact(changes);
    refuse();
    return Promise.reject(new Error('the store is down'));
  };
  const { promise: slow, resolve: answer } = Promise.withResolvers<void>();
  const post: typeof services.post = async (request) => {
    const status = await services.post(request);
    if (request.headers['webhook-id'] !== messageIds[0]) await slow;
    return status;
  };
  const run = sendDue({ ...services, post }, [webhook]);
  const ended = expect(run).rejects.toThrow('the store is down');
  await refused;
  // A run that did not wait would have ended by then.
  await immediate();
  await world.send();
  expect(ids(received)).toEqual(messageIds);
  answer();
  await ended;
});

test('a run that died with its lease is replaced after a minute', async () => {
  const world = await queueMany(1);
  const { records, receiver, clock, received } = world;
  const update = records.update.bind(records);
  receiver.answer = () => {
    // From here on, the first run does nothing more, and does not release its lease.
    records.update = () => Promise.reject(new Error('killed'));
    records.transact = () => Promise.reject(new Error('killed'));
    return 204;
  };
  const { transact } = records;
  await expect(world.send()).rejects.toThrow('killed');
  Object.assign(records, { update, transact });
  receiver.answer = () => 204;
  clock.advance(59);
  await world.send();
  expect(received).toHaveLength(1);
  clock.advance(1);
  await world.send();
  expect(received).toHaveLength(2);
});

test('a late answer does not change what another run recorded', async () => {
  const world = await queueMany(1);
  const { receiver, clock, services, webhook } = world;
  let inner: Promise<void> | undefined;
  receiver.answer = () => {
    if (inner) return 204;
    clock.advance(61);
    inner = sendDue(services, [webhook]);
    return 500;
  };
  await world.send();
  await inner;
  const { waiting } = await countDeliveries(world.records, webhook);
  const [messageId = ''] = world.messageIds;
  const delivery = await findDelivery(world.records, webhook, messageId);
  expect([waiting, delivery?.tries]).toEqual([delivery?.state === 'due' ? 1 : 0, 1]);
});

test('a new secret and the previous one both sign for a day, then only the new one', async () => {
  const world = await queueMany(1);
  const { records, webhook, clock, received } = world;
  const rotated = await rotateSecret(records, webhook, { now: clock.now() });
  await world.send();
  clock.advance(24 * 3_600);
  await queueEvents(world.services, [confirmedChange(50)]);
  await world.send();
  const signers = received.map((request) =>
    [webhook.secret, rotated.secret].map((secret) => isSignedBy(secret, request)),
  );
  expect(signers).toEqual([
    [true, true],
    [false, true],
  ]);
});

test('a removed webhook receives nothing', async () => {
  const world = await queueMany(1);
  await removeWebhook(world.records, world.webhook);
  await world.send();
  expect(world.received).toEqual([]);
});

test('the log contains no URL, secret or body', async () => {
  const world = await queueMany(1);
  world.receiver.answer = () => 'down';
  await sendFor(world, 80 * 60);
  const [, ...random] = world.webhook.secret.split('_');
  const text = JSON.stringify(world.log.lines);
  expect(text).toContain('webhook delivery is a dead letter');
  for (const secret of [...random, 'news.example.org', 'contentCid']) expect(text).not.toContain(secret);
});
