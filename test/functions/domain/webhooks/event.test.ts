import { expect, test } from 'vitest';
import { eventsOf, pastEvents } from '../../../../functions/domain/webhooks/event.ts';
import { dueDeliveries } from '../../../../functions/domain/webhooks/find-deliveries.ts';
import { queueEvents } from '../../../../functions/domain/webhooks/queue-events.ts';
import { alice, bob, chainId } from '../../../fakes/world/world.ts';
import { attestation, changeOf, confirmedChange, createHook, makeWebhooks } from './webhook-world.ts';

const [id, childAttestationId] = [attestation().id, attestation(2).id];
const reference = { contentCid: 'bafkrei', chainId, authorityAddress: alice.authorityAddress };

test('a confirmation makes an event with the public reference and without content', () => {
  const [event, ...more] = eventsOf(confirmedChange());
  expect(more).toEqual([]);
  expect(event).toMatchObject({ type: 'attestation.confirmed', messageId: `msg_${id}_confirmed` });
  expect(JSON.parse(event?.body ?? '')).toEqual({
    type: 'attestation.confirmed',
    timestamp: '2026-01-01T00:00:01.000Z',
    data: {
      ...{ id, status: 'confirmed', ...reference, attestationIndex: 7 },
      confirmedAt: '2026-01-01T00:00:00.000Z',
    },
  });
});

test('an attestation that the registry already had makes an event when its row is created', () => {
  const { before: _, ...change } = confirmedChange();
  expect(eventsOf({ ...change, before: undefined }).map(({ type }) => type)).toEqual([
    'attestation.confirmed',
  ]);
});

test('a failure makes an event with the reason', () => {
  const [event] = eventsOf(changeOf(attestation(), { status: 'failed', error: 'no delegation' }));
  expect(event?.messageId).toBe(`msg_${id}_failed`);
  expect(JSON.parse(event?.body ?? '').data).toEqual({
    ...{ id, status: 'failed', ...reference, attestationIndex: null, error: 'no delegation' },
  });
});

const confirmed = { status: 'confirmed', attestationIndex: 7 } as const;
const requestedLink = { ...confirmed, childAttestationId, childSequence: 3, linkPhase: 'mined' } as const;
const childLinkTxHash = `0x${'ab'.repeat(32)}` as const;

test('each link of an attestation makes an event once it is final', () => {
  const linked = (childSequence: number) =>
    eventsOf(
      changeOf(attestation(1, { ...requestedLink, childSequence }), { linkPhase: 'final', childLinkTxHash }),
    );
  const [event] = linked(3);
  expect(event).toMatchObject({
    type: 'attestation.linked',
    messageId: `msg_${id}_linked_3_${childAttestationId}`,
  });
  expect(JSON.parse(event?.body ?? '').data).toMatchObject({ childAttestationId, childLinkTxHash });
  expect(linked(4)[0]?.messageId).toBe(`msg_${id}_linked_4_${childAttestationId}`);
});

test.each([
  ['a commit', attestation(), { status: 'committed', commitPhase: 'mined' }],
  [
    'a link that is only mined',
    attestation(1, { ...requestedLink, linkPhase: 'queued' }),
    { linkPhase: 'mined' },
  ],
  ['a link that is only queued', attestation(1, confirmed), { linkPhase: 'queued', childAttestationId }],
  [
    'a revocation that the service found',
    attestation(1, confirmed),
    { revokedAt: '2026-01-02T00:00:00.000Z' },
  ],
  [
    'another change of a row whose link is final',
    attestation(1, { ...requestedLink, linkPhase: 'final' }),
    { linkKeyId: 'k' },
  ],
] as const)('%s makes no event', (_, before, set) => {
  expect(eventsOf(changeOf(before, set))).toEqual([]);
});

test('a message ID contains no period, because periods separate the signed parts', () => {
  const row = attestation(1, { ...requestedLink, linkPhase: 'final', childLinkTxHash });
  const past = pastEvents(row, new Date(0));
  expect(past.map(({ messageId }) => messageId)).toEqual([
    `msg_${id}_confirmed`,
    `msg_${id}_linked_3_${childAttestationId}`,
  ]);
  for (const { messageId } of past) expect(messageId).toMatch(/^[\w-]+$/);
});

test('an event is queued once for each webhook of its organization, however often the stream shows it', async () => {
  const world = makeWebhooks();
  const { services, clock } = world;
  const [first, second] = [await createHook(world, 'a'), await createHook(world, 'b')];
  await queueEvents(services, [confirmedChange()]);
  clock.advance(1);
  await queueEvents(services, [confirmedChange(), confirmedChange()]);
  for (const webhook of [first, second])
    expect(await dueDeliveries(services, webhook, clock.now(), 10)).toHaveLength(1);
});

test('an event is not queued for another organization’s webhooks', async () => {
  const world = makeWebhooks();
  const webhook = await createHook(world);
  const change = confirmedChange();
  await queueEvents(world.services, [
    { ...change, key: { ...change.key, organizationId: bob.organizationId } },
  ]);
  expect(await dueDeliveries(world.services, webhook, world.clock.now(), 10)).toEqual([]);
});

test('a malformed row is reported, and does not block the rows behind it', async () => {
  const world = makeWebhooks();
  const webhook = await createHook(world);
  const bad = confirmedChange(1);
  await queueEvents(world.services, [{ ...bad, after: { ...bad.after, salt: 7 } }, confirmedChange(2)]);
  expect(await dueDeliveries(world.services, webhook, world.clock.now(), 10)).toMatchObject([
    { attestationId: confirmedChange(2).key.id },
  ]);
  expect(world.log.messages('error')).toEqual(['webhook event unreadable']);
});

test('a failure of the store is thrown, so that the stream repeats the batch, and nothing is queued twice', async () => {
  const world = makeWebhooks();
  const { services, records, clock } = world;
  const webhook = await createHook(world);
  const transact = records.transact.bind(records);
  let writes = 0;
  records.transact = async (changes) => {
    writes += 1;
    if (writes === 2) throw new Error('the store is down');
    return transact(changes);
  };
  const changes = [confirmedChange(1), confirmedChange(2), confirmedChange(3)];
  await expect(queueEvents(services, changes)).rejects.toThrow('the store is down');
  await queueEvents(services, changes);
  const due = await dueDeliveries(services, webhook, clock.now(), 10);
  expect(due.map(({ attestationId }) => attestationId)).toEqual(changes.map(({ key }) => key.id));
});
