import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import * as z from 'zod';
import type { Change, Key, Records } from '../records.ts';
import { bytes, formOf, isMap, parseRecord, RecordInvalidError } from '../stored-record.ts';
import type { Attestation, AttestationKey } from './attestation.ts';
import { maxContentBytes } from './content.ts';

export function contentPart(organizationId: string, contentCid: string, part: number): Key {
  return {
    table: 'attestations',
    pk: `${organizationId}#${contentCid}`,
    sk: `content#${String(part).padStart(3, '0')}`,
  };
}

/** The content's bytes, compressed by Brotli as a whole. */
const partForm = formOf({ brotli: bytes });

export function metadataRecord({ organizationId, id }: AttestationKey): Key {
  return { table: 'attestations', pk: `${organizationId}#${id}`, sk: 'metadata' };
}

const metadataForm = formOf({ json: z.string() });

/** Size of a stored part: under DynamoDB's 400 KB an item, with room for the key. */
const contentPartBytes = 350_000;

/** Texts become little larger than at the best quality, and take a thirtieth of its time: 40 ms for 1 MiB. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

export function contentChanges(organizationId: string, contentCid: string, content: Uint8Array): Change[] {
  const stored = brotliCompressSync(content, quality);
  const parts = Math.ceil(stored.length / contentPartBytes);
  return Array.from({ length: parts }, (_, part) => ({
    key: contentPart(organizationId, contentCid, part),
    put: { brotli: stored.subarray(part * contentPartBytes, (part + 1) * contentPartBytes) },
  }));
}

/** The stored content, byte for byte; `undefined` when it was erased. @throws RecordInvalidError */
export async function readContent(
  records: Records,
  { organizationId, contentCid }: Pick<Attestation, 'organizationId' | 'contentCid'>,
): Promise<string | undefined> {
  const { table, pk } = contentPart(organizationId, contentCid, 0);
  const parts = await records.list({ table, pk, limit: 10 });
  if (parts.length === 0) return undefined;
  const stored = parts.map(({ fields }) => parseRecord('content part', partForm, fields).brotli);
  // ignoreBOM: the content may start with one, and it is part of it.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(decompressed(Buffer.concat(stored)));
}

function decompressed(stored: Uint8Array): Uint8Array {
  try {
    return brotliDecompressSync(stored, { maxOutputLength: maxContentBytes });
  } catch {
    throw new RecordInvalidError('content part', 'brotli');
  }
}

/** Change that stores metadata, which is a JSON object as text: parsed, some of it would be changed. */
export function metadataChange(key: AttestationKey, metadata: string): Change {
  return { key: metadataRecord(key), put: { json: metadata } };
}

/** Reads an attestation's metadata as JSON text; `undefined` without any, or erased. @throws RecordInvalidError */
export async function readMetadata(records: Records, key: AttestationKey): Promise<string | undefined> {
  const fields = await records.get(metadataRecord(key));
  return fields && checkedMetadata(parseRecord('metadata', metadataForm, fields).json);
}

/** Checks the JSON. The parser's own error quotes a text that is none, so the error thrown has no cause. */
function checkedMetadata(json: string): string {
  try {
    if (isMap(JSON.parse(json))) return json;
  } catch {
    // The same as any other text that is no object.
  }
  throw new RecordInvalidError('metadata', 'json');
}
