import { createHmac } from 'node:crypto';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import { rowFields } from '../../../../functions/domain/attestation/attestation-records.ts';
import { newAttestation } from '../../../../functions/domain/attestation/new-attestation.ts';
import type { RowChange } from '../../../../functions/domain/webhooks/event.ts';
import {
  ReceiverUnreachableError,
  type WebhookAnswer,
  type WebhookRequest,
} from '../../../../functions/domain/webhooks/post-event.ts';
import { queueEvents } from '../../../../functions/domain/webhooks/queue-events.ts';
import { type SendServices, sendDue } from '../../../../functions/domain/webhooks/send-due.ts';
import { createWebhook, type Webhook } from '../../../../functions/domain/webhooks/webhook.ts';
import { MemoryRecords } from '../../../fakes/memory-records/memory-records.ts';
import { FakeClock } from '../../../fakes/ports/fake-clock.ts';
import { FakeLog } from '../../../fakes/ports/fake-log.ts';
import { alice, chainId, registryAddress } from '../../../fakes/world/world.ts';

/** Makes a store, a clock, and receivers that record requests and give the answers that a test sets. */
export function makeWebhooks() {
  const clock = new FakeClock('2026-01-01T00:00:00.000Z');
  const records = new MemoryRecords(clock.now);
  const log = new FakeLog();
  const received: WebhookRequest[] = [];
  const receiver = {
    /** Returns the answer, its status, or `down` for no answer. */
    answer: (_: WebhookRequest): WebhookAnswer | number | 'down' => 204,
  };
  const services: SendServices = {
    ...{ records, log, now: clock.now },
    post: async (request) => {
      received.push(request);
      const answer = receiver.answer(request);
      if (answer === 'down') throw new ReceiverUnreachableError('not reached: ECONNREFUSED');
      return typeof answer === 'number' ? { status: answer } : answer;
    },
  };
  return { services, clock, records, log, received, receiver };
}

export const ids = (requests: readonly WebhookRequest[]) =>
  requests.map(({ headers }) => headers['webhook-id']);

export function createHook(
  { services, clock }: ReturnType<typeof makeWebhooks>,
  path = '',
): Promise<Webhook> {
  const url = new URL(`https://news.example.org/${path}`);
  return createWebhook(services, { organizationId: alice.organizationId, url, now: clock.now() });
}

export function attestation(position = 1, fields: Partial<Attestation> = {}): Attestation {
  const identity = { ...alice, chainId, digest: `0x${'11'.repeat(32)}`, contentCid: 'bafkrei' } as const;
  const random = (size: number) => new Uint8Array(size).fill(position);
  const settings = { registryAddress, delegateAddress: alice.authorityAddress };
  const made = newAttestation(identity, settings, { text: 'An article.', now: new Date(0), random });
  const { authorityAddress, digest, contentCid } = identity;
  const { organizationId } = alice;
  const id = `01890000-0000-7000-8000-${String(position).padStart(12, '0')}`;
  return { ...made, organizationId, authorityAddress, digest, contentCid, id, ...fields };
}

/** Makes the change that confirms an attestation. */
export function confirmedChange(position = 1): RowChange {
  const before = attestation(position, { status: 'committed' });
  const confirmedAt = '2026-01-01T00:00:00.000Z';
  return changeOf(before, { status: 'confirmed', attestationIndex: 7, confirmedAt });
}

export function changeOf(before: Attestation, set: Partial<Attestation>): RowChange {
  const key = { organizationId: before.organizationId, id: before.id };
  const at = new Date('2026-01-01T00:00:01.000Z');
  return { key, before: rowFields(before), after: rowFields({ ...before, ...set }), at };
}

export async function queueMany(events: number) {
  const world = makeWebhooks();
  const webhook = await createHook(world);
  const changes = Array.from({ length: events }, (_, position) => confirmedChange(position + 1));
  await queueEvents(world.services, changes);
  const messageIds = changes.map(({ key }) => `msg_${key.id}_confirmed`);
  return { ...world, webhook, messageIds, send: () => sendDue(world.services, [webhook]) };
}

/** Sends once a minute, as the schedule does. */
export async function sendFor(
  { send, clock }: Awaited<ReturnType<typeof queueMany>>,
  minutes: number,
): Promise<void> {
  for (let minute = 0; minute <= minutes; minute++) {
    await send();
    clock.advance(60);
  }
}

/** Whether one of the signatures was made with the secret. This does not use the code under test. */
export function isSignedBy(secret: string, { headers, body }: WebhookRequest): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const wanted = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return headers['webhook-signature']?.split(' ').includes(wanted) ?? false;
}
