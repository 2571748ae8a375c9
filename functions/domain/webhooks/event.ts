import type { Attestation, AttestationKey } from '../attestation/attestation.ts';
import { attestationOf } from '../attestation/attestation-records.ts';
import type { Fields } from '../records.ts';

export type EventType = 'attestation.confirmed' | 'attestation.failed' | 'attestation.linked';

export interface WebhookEvent extends AttestationKey {
  /** Always the same for an event. Contains no period, which separates the parts of the signed text. */
  readonly messageId: string;
  readonly type: EventType;
  /** Body of the request, the same bytes for every attempt. */
  readonly body: string;
}

export interface RowChange {
  readonly key: AttestationKey;
  readonly before: Fields | undefined;
  readonly after: Fields;
  readonly at: Date;
}

/** Derives the events of a row's change. A link that is final twice has the same event. @throws RecordInvalidError */
export function eventsOf({ key, before, after, at }: RowChange): WebhookEvent[] {
  const isNew = (field: string) => before?.[field] !== after[field];
  const ended = isNew('status') && (after.status === 'confirmed' || after.status === 'failed');
  const linked = isNew('linkPhase') && after.linkPhase === 'final';
  if (!ended && !linked) return [];
  const row = attestationOf(key, after);
  return [...(ended ? [endOf(row, at)] : []), ...(linked ? [linkOf(row, at)] : [])];
}

/** Derives an attestation's past events from its row. Only the current link is known there. */
export function pastEvents(row: Attestation, at: Date): WebhookEvent[] {
  const ended = row.status === 'confirmed' || row.status === 'failed';
  return [...(ended ? [endOf(row, at)] : []), ...(row.linkPhase === 'final' ? [linkOf(row, at)] : [])];
}

function endOf(row: Attestation, at: Date): WebhookEvent {
  const { confirmedAt, error } = row;
  if (row.status === 'failed') return event(row, 'failed', at.toISOString(), { error });
  return event(row, 'confirmed', at.toISOString(), { confirmedAt });
}

function linkOf(row: Attestation, at: Date): WebhookEvent {
  const { childAttestationId, childLinkTxHash, childSequence } = row;
  // Includes the child, because after a restore another link may have the same number.
  const suffix = `_${childSequence}_${childAttestationId}`;
  return event(row, 'linked', at.toISOString(), { childAttestationId, childLinkTxHash }, suffix);
}

function event(
  row: Attestation,
  name: 'confirmed' | 'failed' | 'linked',
  timestamp: string,
  details: Readonly<Record<string, unknown>>,
  suffix = '',
): WebhookEvent {
  const { organizationId, id, status, contentCid, chainId, authorityAddress } = row;
  const attestationIndex = row.attestationIndex ?? null;
  const type = `attestation.${name}` as const;
  // No content, metadata or URL, because an erasure does not erase events.
  const data = { id, status, contentCid, chainId, authorityAddress, attestationIndex, ...details };
  const body = JSON.stringify({ type, timestamp, data });
  return { organizationId, id, type, messageId: `msg_${id}_${name}${suffix}`, body };
}
