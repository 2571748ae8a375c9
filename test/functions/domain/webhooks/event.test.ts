import { expect, test } from 'vitest';
import { eventsOf, pastEvents } from '../../../../functions/domain/webhooks/event.ts';
import { alice, chainId } from '../../../fakes/world/world.ts';
import { attestation, changing, confirming } from './hear.ts';

const [id, childAttestationId] = [attestation().id, attestation(2).id];
const reference = { contentCid: 'bafkrei', chainId, authorityAddress: alice.authorityAddress };

test('a confirmed attestation is an event with its public reference, and with no content', () => {
  const [event, ...more] = eventsOf(confirming());
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

test('one that the registry holds when it is posted is confirmed in its first write', () => {
  const { before: _, ...change } = confirming();
  expect(eventsOf({ ...change, before: undefined }).map(({ type }) => type)).toEqual([
    'attestation.confirmed',
  ]);
});

test('a failed attestation is an event with the reason', () => {
  const [event] = eventsOf(changing(attestation(), { status: 'failed', error: 'no delegation' }));
  expect(event?.messageId).toBe(`msg_${id}_failed`);
  expect(JSON.parse(event?.body ?? '').data).toEqual({
    ...{ id, status: 'failed', ...reference, attestationIndex: null, error: 'no delegation' },
  });
});

const confirmed = { status: 'confirmed', attestationIndex: 7 } as const;
const wanted = { ...confirmed, childAttestationId, childSequence: 3, linkPhase: 'mined' } as const;
const childLinkTxHash = `0x${'ab'.repeat(32)}` as const;

test('a link is an event once it is final, and another link another event', () => {
  const linked = (childSequence: number) =>
    eventsOf(changing(attestation(1, { ...wanted, childSequence }), { linkPhase: 'final', childLinkTxHash }));
  const [event] = linked(3);
  expect(event).toMatchObject({
    type: 'attestation.linked',
    messageId: `msg_${id}_linked_3_${childAttestationId}`,
  });
  expect(JSON.parse(event?.body ?? '').data).toMatchObject({ childAttestationId, childLinkTxHash });
  expect(linked(4)[0]?.messageId).toBe(`msg_${id}_linked_4_${childAttestationId}`);
});

test('a link with a number that a restored table gave out before is another event', () => {
  const linkTo = (position: number) => {
    const { id: child } = attestation(position);
    return eventsOf(
      changing(attestation(1, { ...wanted, childAttestationId: child }), { linkPhase: 'final' }),
    );
  };
  expect(linkTo(2)[0]?.messageId).not.toBe(linkTo(3)[0]?.messageId);
});

test.each([
  ['a commit', attestation(), { status: 'committed', commitPhase: 'mined' }],
  ['a link that is only mined', attestation(1, { ...wanted, linkPhase: 'queued' }), { linkPhase: 'mined' }],
  ['a link that is wanted', attestation(1, confirmed), { linkPhase: 'queued', childAttestationId }],
  ['a look at its revocation', attestation(1, confirmed), { revokedAt: '2026-01-02T00:00:00.000Z' }],
  ['a write beside a final link', attestation(1, { ...wanted, linkPhase: 'final' }), { linkKeyId: 'k' }],
] as const)('%s is no event', (_, before, set) => {
  expect(eventsOf(changing(before, set))).toEqual([]);
});

test('no id has a full stop, which would separate what is signed elsewhere', () => {
  const row = attestation(1, { ...wanted, linkPhase: 'final', childLinkTxHash });
  const past = pastEvents(row, new Date(0));
  expect(past.map(({ messageId }) => messageId)).toEqual([
    `msg_${id}_confirmed`,
    `msg_${id}_linked_3_${childAttestationId}`,
  ]);
  for (const { messageId } of past) expect(messageId).toMatch(/^[\w-]+$/);
});
