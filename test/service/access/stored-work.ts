import { v7 as uuidv7 } from 'uuid';
import type { Address } from 'viem';
import type { Attestation, AttestationKey } from '../../../functions/domain/attestation/attestation.ts';
import {
  attestationRow,
  findAttestation,
  rowFields,
} from '../../../functions/domain/attestation/attestation-records.ts';
import { putOperation, queueOf } from '../../../functions/domain/lane/queue-records.ts';
import { queueDelivery } from '../../../functions/domain/webhooks/delivery.ts';
import { pastEvents } from '../../../functions/domain/webhooks/event.ts';
import { createWebhook, type Webhook } from '../../../functions/domain/webhooks/webhook.ts';
import { records } from '../stack/aws.ts';

/** A delegate that no settings name: no lane sends for it. */
const unserved: Address = '0x000000000000000000000000000000000000dEaD';

/** Registers an address at which nobody listens: each event is tried, and due again. */
export function unheardWebhook(organizationId: string): Promise<Webhook> {
  const url = new URL('http://127.0.0.1:9/');
  return createWebhook({ records }, { organizationId, url, now: new Date() });
}

async function stored(key: AttestationKey): Promise<Attestation> {
  const row = await findAttestation(records, key);
  if (!row) throw new Error(`there is no attestation ${key.id}`);
  return row;
}

/**
 * Queues what an attestation has to tell for a webhook of its own: on another the lease may still be held, by a run that was
 * refused to give it back or because the receiver is down.
 */
export async function queueUnheard(key: AttestationKey): Promise<void> {
  const webhook = await unheardWebhook(uuidv7());
  const now = new Date();
  for (const event of pastEvents(await stored(key), now)) await queueDelivery(records, webhook, event, now);
}

/** Stores an attestation like another, whose commit is queued where no lane looks. @returns its key */
export async function queueUnserved(like: AttestationKey): Promise<AttestationKey> {
  const { revealPhase: _, ...row } = await stored(like);
  const now = new Date();
  const round = now.getTime();
  const key = { organizationId: like.organizationId, id: uuidv7() };
  const waiting = {
    ...row,
    ...key,
    delegateAddress: unserved,
    status: 'pending',
    commitPhase: 'queued',
  } as const;
  const attestation: Attestation = { ...waiting, commitRound: round };
  await records.transact([
    { key: attestationRow(key), put: rowFields(attestation) },
    putOperation(queueOf(attestation, 'commit'), {
      ...{ ...key, kind: 'commit', queuedAt: now.toISOString(), round },
    }),
  ]);
  return key;
}
