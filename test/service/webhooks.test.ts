import { expect, test } from 'vitest';
import { findDelivery } from '../../functions/domain/webhooks/delivery.ts';
import { admin } from './stack/admin.ts';
import { records } from './stack/aws.ts';
import { article, newPublisher } from './stack/publisher.ts';
import { receiveEvents, waitForEvents } from './stack/receiver.ts';

test('a receiver gets events of confirmations and links, and a replay resends a rejected event', async () => {
  const publisher = await newPublisher();
  const { api, organizationId } = publisher;
  const receiver = await receiveEvents(publisher);
  const [first, second] = await Promise.all([api.attest(article()), api.attest(article())]);
  await waitForEvents(
    receiver.received,
    [first, second].map(({ id }) => `attestation.confirmed ${id}`),
  );
  receiver.refuse(1);
  await api.link(first.id, second.id);
  const messageId = `msg_${first.id}_linked_1_${second.id}`;
  const webhook = { organizationId, id: receiver.webhookId };
  const delivery = () => findDelivery(records, webhook, messageId);
  await expect.poll(async () => (await delivery())?.tries ?? 0).toBeGreaterThan(0);
  // Without this, the schedule would resend it in a minute or two.
  const replayed = await admin('webhook', 'replay', '--org', organizationId, '--event', messageId);
  expect(replayed).toEqual({ events: 1 });
  await waitForEvents(receiver.received, [`attestation.linked ${first.id}`]);
  expect(receiver.requested.filter((id) => id === messageId).length).toBeGreaterThan(1);
  await expect.poll(async () => (await delivery())?.state).toBe('delivered');
});
