import * as z from 'zod';
import type { Change, Key, Records } from '../records.ts';
import { bytes, isMap, parseRecord, RecordInvalidError, recordForm } from '../stored-record.ts';
import type { Attestation, AttestationKey } from './attestation.ts';

export function contentPart(organizationId: string, contentCid: string, part: number): Key {
  return {
    table: 'attestations',
    pk: `${organizationId}#${contentCid}`,
    sk: `content#${String(part).padStart(3, '0')}`,
  };
}

const partForm = recordForm<{ readonly bytes: Uint8Array }>({ bytes });

export function metadataRecord({ organizationId, id }: AttestationKey): Key {
  return { table: 'attestations', pk: `${organizationId}#${id}`, sk: 'metadata' };
}

const metadataForm = recordForm<{ readonly json: string }>({ json: z.string() });

/** Size of a stored part: under DynamoDB's 400 KB an item, with room for the key. */
const contentPartBytes = 350_000;

export function contentChanges(organizationId: string, contentCid: string, bytes: Uint8Array): Change[] {
  const parts = Math.ceil(bytes.length / contentPartBytes);
  return Array.from({ length: parts }, (_, part) => ({
    key: contentPart(organizationId, contentCid, part),
    put: { bytes: bytes.subarray(part * contentPartBytes, (part + 1) * contentPartBytes) },
  }));
}

/** The stored content, byte for byte; `undefined` when it was erased. @throws RecordInvalidError */
export async function readContent(
  records: Records,
  { organizationId, contentCid }: Pick<Attestation, 'organizationId' | 'contentCid'>,
): Promise<string | undefined> {
  const { table, pk } = contentPart(organizationId, contentCid, 0);
  const parts = await records.list({ table, pk, limit: 10 });
  const all = parts.map(({ fields }) => parseRecord('content part', partForm, fields).bytes);
  // ignoreBOM: the content may start with one, and it is part of it.
  return parts.length === 0
    ? undefined
    : new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(all));
}

export function metadataChange(key: AttestationKey, metadata: Record<string, unknown>): Change {
  return { key: metadataRecord(key), put: { json: JSON.stringify(metadata) } };
}

/** Reads an attestation's metadata; `undefined` without any, or erased. @throws RecordInvalidError */
export async function readMetadata(
  records: Records,
  key: AttestationKey,
): Promise<Record<string, unknown> | undefined> {
  const fields = await records.get(metadataRecord(key));
  return fields && parseMetadata(parseRecord('metadata', metadataForm, fields).json);
}

/** Parses the JSON. The parser's own error quotes a text that is none, so the error thrown has no cause. */
function parseMetadata(json: string): Record<string, unknown> {
  try {
    const metadata: unknown = JSON.parse(json);
    if (isMap(metadata)) return metadata;
  } catch {
    // The same as any other text that is no object.
  }
  throw new RecordInvalidError('metadata', 'json');
}
