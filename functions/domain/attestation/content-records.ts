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

const partForm = formOf({ brotli: bytes });

export function metadataRecord({ organizationId, id }: AttestationKey): Key {
  return { table: 'attestations', pk: `${organizationId}#${id}`, sk: 'metadata' };
}

const metadataForm = formOf({ json: z.string() });

/** Size of a stored part, in bytes: below DynamoDB's 400 KB for an item with its key. */
const contentPartBytes = 350_000;

/** Results are slightly larger than at the best quality and take a thirtieth of the time: 40 ms for 1 MiB. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

export function contentChanges(organizationId: string, contentCid: string, content: Uint8Array): Change[] {
  const stored = brotliCompressSync(content, quality);
  const parts = Math.ceil(stored.length / contentPartBytes);
  return Array.from({ length: parts }, (_, part) => ({
    key: contentPart(organizationId, contentCid, part),
    put: { brotli: stored.subarray(part * contentPartBytes, (part + 1) * contentPartBytes) },
  }));
}

/** Reads the stored content unchanged; `undefined` if it was erased. @throws RecordInvalidError */
export async function readContent(
  records: Records,
  { organizationId, contentCid }: Pick<Attestation, 'organizationId' | 'contentCid'>,
): Promise<string | undefined> {
  const { table, pk } = contentPart(organizationId, contentCid, 0);
  const parts = await records.list({ table, pk, limit: 10 });
  if (parts.length === 0) return undefined;
  const stored = parts.map(({ fields }) => parseRecord('content part', partForm, fields).brotli);
  // ignoreBOM keeps a byte order mark at the start of the content.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(decompressed(Buffer.concat(stored)));
}

function decompressed(stored: Uint8Array): Uint8Array {
  try {
    return brotliDecompressSync(stored, { maxOutputLength: maxContentBytes });
  } catch {
    throw new RecordInvalidError('content part', 'brotli');
  }
}

/** Returns the change that stores metadata, a JSON object as text, because parsing changes large numbers. */
export function metadataChange(key: AttestationKey, metadata: string): Change {
  return { key: metadataRecord(key), put: { json: metadata } };
}

/** Reads metadata as JSON text; `undefined` if there is none or it was erased. @throws RecordInvalidError */
export async function readMetadata(records: Records, key: AttestationKey): Promise<string | undefined> {
  const fields = await records.get(metadataRecord(key));
  return fields && checkedMetadata(parseRecord('metadata', metadataForm, fields).json);
}

/** Checks the JSON. The parser's error quotes invalid text, so the thrown error does not include it as its cause. */
function checkedMetadata(json: string): string {
  try {
    if (isMap(JSON.parse(json))) return json;
  } catch {
    // Invalid JSON gets the same error as JSON that is not an object.
  }
  throw new RecordInvalidError('metadata', 'json');
}
