import type { AttestationKey, OperationKind } from './attestation.ts';
import type { Key } from './records.ts';

/** Rows of an organisation share a partition and sort by UUIDv7, so newest first is the table's own order. */
export function attestationRow({ organizationId, id }: AttestationKey): Key {
  return { table: 'attestations', pk: organizationId, sk: id };
}

/** Holds the id of the one attestation of this content that stands. */
export function contentGuard(organizationId: string, chainId: number, contentCid: string): Key {
  return { table: 'attestations', pk: `${organizationId}#${chainId}#${contentCid}`, sk: 'guard' };
}

export function contentPart(organizationId: string, contentCid: string, part: number): Key {
  return {
    table: 'attestations',
    pk: `${organizationId}#${contentCid}`,
    sk: `content#${String(part).padStart(3, '0')}`,
  };
}

export function metadataRecord({ organizationId, id }: AttestationKey): Key {
  return { table: 'attestations', pk: `${organizationId}#${id}`, sk: 'metadata' };
}

export function laneStateRecord(lane: string): Key {
  return { table: 'lanes', pk: lane, sk: 'STATE' };
}

export function transactionRecord(lane: string, nonce: number): Key {
  return { table: 'lanes', pk: lane, sk: `TX#${String(nonce).padStart(12, '0')}` };
}

export function payloadRecord(lane: string, nonce: number): Key {
  return { table: 'lanes', pk: lane, sk: `CALLS#${String(nonce).padStart(12, '0')}` };
}

export function queuePartition(queue: string): string {
  return `${queue}#queue`;
}

export function queuedOperation(
  queue: string,
  { organizationId, id, kind }: AttestationKey & { kind: OperationKind },
): Key {
  return { table: 'lanes', pk: queuePartition(queue), sk: `${organizationId}#${id}#${kind}` };
}
