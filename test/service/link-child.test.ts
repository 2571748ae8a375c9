import { test } from 'vitest';
import { findDelivery } from '../../functions/domain/webhooks/delivery.ts';
import { digestOf } from './conformance/shapes.ts';
import { admin } from './stack/admin.ts';
import { records } from './stack/aws.ts';
import { childOf, delegate, revokeDelegation } from './stack/chain.ts';
import type { Body } from './stack/http-client.ts';
import { article, newPublisher } from './stack/publisher.ts';
import { receiveEvents, waitForEvents } from './stack/receiver.ts';

const isLinked = ({ childLinkTxHash }: Body) => childLinkTxHash !== null;

// What section 4.4 leaves open: service/conformance/section-4-4.test.ts has the rest.
test.concurrent('the last of several links wins, and a link without a delegation fails with a reason and can be repeated', async ({
  expect,
}) => {
  const { api, authority } = await newPublisher();
  const drafts = [article('second draft'), article('third draft')] as const;
  const confirmed = api.attest(article('first draft'));
  const children = await Promise.all(drafts.map(async (content) => (await api.create({ content })).body.id));
  const { id, attestationIndex } = await confirmed;
  const [second, third] = children;
  for (const child of [second, third, second, third, third])
    expect((await api.link(id, child)).status).toBe(202);
  expect(await api.until(id, isLinked)).toMatchObject({ childAttestationId: third });
  expect(await childOf(Number(attestationIndex))).toBe(digestOf(drafts[1]));

  await revokeDelegation(authority);
  expect((await api.link(id, second)).status).toBe(202);
  const refused = await api.until(id, ({ childLinkError }) => childLinkError !== undefined);
  expect(refused).toMatchObject({
    ...{ status: 'confirmed', error: null, childLinkTxHash: null },
    childLinkError: expect.stringContaining(`delegation of ${authority.address}`),
  });
  await delegate(authority);
  expect((await api.link(id, second)).status).toBe(202);
  expect(await api.until(id, isLinked)).not.toHaveProperty('childLinkError');
});

test.concurrent('a receiver gets events of a confirmation and a link, and again those that it rejected', async ({
  expect,
  onTestFinished,
}) => {
  const publisher = await newPublisher();
  const { api, organizationId } = publisher;
  const receiver = await receiveEvents(publisher, onTestFinished);
  const [first, second] = await Promise.all([api.attest(article()), api.attest(article())]);
  await waitForEvents(
    receiver.heard,
    [first, second].map(({ id }) => `attestation.confirmed ${id}`),
  );
  receiver.refuse(1);
  await api.link(first.id, second.id);
  const messageId = `msg_${first.id}_linked_1_${second.id}`;
  const webhook = { organizationId, id: receiver.webhookId };
  const delivery = () => findDelivery(records, webhook, messageId);
  const patience = { timeout: 60_000, interval: 200 };
  await expect.poll(async () => (await delivery())?.tries ?? 0, patience).toBeGreaterThan(0);
  // The schedule would send it again in a minute or two.
  const replayed = await admin('webhook', 'replay', '--org', organizationId, '--event', messageId);
  expect(replayed).toEqual({ events: 1 });
  await waitForEvents(receiver.heard, [`attestation.linked ${first.id}`]);
  expect(receiver.requested.filter((id) => id === messageId).length).toBeGreaterThan(1);
  await expect.poll(async () => (await delivery())?.state, patience).toBe('delivered');
});
