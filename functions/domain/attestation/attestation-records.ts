import type { Change, Fields, Key, Records } from '../records.ts';
import type { Attestation, AttestationKey } from './attestation.ts';

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

/** Under DynamoDB's 400 KB an item, with room for the key. */
const contentPartBytes = 350_000;

/** Everything that is stored when an attestation is accepted. */
export interface Acceptance {
  readonly attestation: Attestation;
  readonly contentBytes: Uint8Array;
  readonly metadata?: Record<string, unknown>;
  /** The failed attestation of the same content that this one takes the place of. */
  readonly replaces?: string;
}

export function rowFields(attestation: Attestation): Fields {
  const { organizationId: _, id: __, ...fields } = attestation;
  return fields;
}

export function attestationOf(key: AttestationKey, fields: Fields): Attestation {
  return { ...fields, organizationId: key.organizationId, id: key.id } as unknown as Attestation;
}

export async function findAttestation(
  records: Records,
  key: AttestationKey,
): Promise<Attestation | undefined> {
  const fields = await records.get(attestationRow(key));
  return fields && attestationOf(key, fields);
}

/** The attestation that stands for this content, whatever its status. */
export async function findByContent(
  records: Records,
  organizationId: string,
  chainId: number,
  contentCid: string,
): Promise<Attestation | undefined> {
  const guard = await records.get(contentGuard(organizationId, chainId, contentCid));
  return guard && findAttestation(records, { organizationId, id: String(guard.id) });
}

/**
 * Stores the row, its guard, the content and the metadata in one write: a crash leaves all of it or none.
 *
 * @returns false when another attestation of the same content stands already.
 */
export function acceptAttestation(records: Records, acceptance: Acceptance): Promise<boolean> {
  const { attestation, contentBytes, metadata, replaces } = acceptance;
  const { organizationId, chainId, contentCid, id } = attestation;
  const guard = contentGuard(organizationId, chainId, contentCid);
  return records.transact([
    replaces === undefined
      ? { key: guard, put: { id }, ifAbsent: true }
      : { key: guard, put: { id }, expect: { id: replaces } },
    { key: attestationRow(attestation), put: rowFields(attestation), ifAbsent: true },
    ...contentChanges(organizationId, contentCid, contentBytes),
    ...(metadata ? [{ key: metadataRecord(attestation), put: { json: JSON.stringify(metadata) } }] : []),
  ]);
}

function contentChanges(organizationId: string, contentCid: string, bytes: Uint8Array): Change[] {
  const parts = Math.ceil(bytes.length / contentPartBytes);
  return Array.from({ length: parts }, (_, part) => ({
    key: contentPart(organizationId, contentCid, part),
    put: { bytes: bytes.subarray(part * contentPartBytes, (part + 1) * contentPartBytes) },
  }));
}

/** The stored content, byte for byte; `undefined` when it was erased. */
export async function readContent(
  records: Records,
  { organizationId, contentCid }: Attestation,
): Promise<string | undefined> {
  const { table, pk } = contentPart(organizationId, contentCid, 0);
  const parts = await records.list({ table, pk, limit: 10 });
  const bytes = parts.map(({ fields }) => fields.bytes as Uint8Array);
  // ignoreBOM: the content may start with one, and it is part of it.
  return parts.length === 0
    ? undefined
    : new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(bytes));
}

export async function readMetadata(
  records: Records,
  key: AttestationKey,
): Promise<Record<string, unknown> | undefined> {
  const fields = await records.get(metadataRecord(key));
  return fields && JSON.parse(String(fields.json));
}

/** One page of an organisation's attestations, newest first. */
export async function listAttestations(
  records: Records,
  organizationId: string,
  { limit, before }: { limit: number; before?: string },
): Promise<{ attestations: Attestation[]; more: boolean }> {
  const stored = await records.list({
    table: 'attestations',
    pk: organizationId,
    limit: limit + 1,
    descending: true,
    ...(before === undefined ? {} : { before }),
  });
  const attestations = stored
    .slice(0, limit)
    .map(({ key, fields }) => attestationOf({ organizationId, id: key.sk }, fields));
  return { attestations, more: stored.length > limit };
}
