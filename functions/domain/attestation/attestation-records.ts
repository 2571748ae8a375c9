import * as z from 'zod';
import type { Fields, Key, Records } from '../records.ts';
import type { Services } from '../services.ts';
import { formOf, parseOrReport, parseRecord } from '../stored-record.ts';
import { type Attestation, type AttestationKey, attestationForm } from './attestation.ts';
import { contentChanges, metadataChange } from './content-records.ts';
import { addUrlLookUp } from './url-look-ups.ts';

/** Returns the key of a row. Rows of an organization share a partition and sort by UUIDv7, so by time. */
export function attestationRow({ organizationId, id }: AttestationKey): Key {
  return { table: 'attestations', pk: organizationId, sk: id };
}

/** The record contains the ID of a content's newest attestation. Its partition also lists the failed ones before it. */
export function contentGuard(organizationId: string, chainId: number, contentCid: string): Key {
  return { table: 'attestations', pk: `${organizationId}#${chainId}#${contentCid}`, sk: 'guard' };
}

const guardForm = formOf({ id: z.string() });

export function guardedId(guard: Fields): string {
  return parseRecord('content guard', guardForm, guard).id;
}

export interface Acceptance {
  readonly attestation: Attestation;
  readonly contentBytes: Uint8Array;
  /** JSON object, as text. */
  readonly metadata?: string;
  /** ID of the failed attestation of the same content that this one replaces. */
  readonly replaces?: string;
}

export function rowFields(attestation: Attestation): Fields {
  const { organizationId: _, id: __, ...fields } = attestation;
  return fields;
}

export function attestationOf({ organizationId, id }: AttestationKey, fields: Fields): Attestation {
  return { ...parseRecord('attestation', attestationForm, fields), organizationId, id };
}

async function readAll(
  records: Records,
  keys: readonly AttestationKey[],
  parse: (key: AttestationKey, fields: Fields) => Attestation | undefined,
): Promise<(Attestation | undefined)[]> {
  const found = await records.getAll(keys.map(attestationRow));
  return keys.map((key, position) => {
    const fields = found[position];
    return fields && parse(key, fields);
  });
}

/** Reads attestations in the order of the keys. An absent one is `undefined`. @throws RecordInvalidError */
export function findAttestations(records: Records, keys: readonly AttestationKey[]) {
  return readAll(records, keys, attestationOf);
}

/** Parses one of several attestations. A malformed one is logged and `undefined`, so that it affects no others. */
export function parseReadable(
  { log }: Pick<Services, 'log'>,
  { organizationId, id }: AttestationKey,
  fields: Fields,
): Attestation | undefined {
  const key = { organizationId, id };
  return parseOrReport(
    () => attestationOf(key, fields),
    (error) => log.error('attestation unreadable', error, key),
  );
}

/** Reads attestations in the keys' order. An absent or malformed one is `undefined`; a malformed one is logged. */
export function findReadable(services: Pick<Services, 'records' | 'log'>, keys: readonly AttestationKey[]) {
  return readAll(services.records, keys, (key, fields) => parseReadable(services, key, fields));
}

export async function findAttestation(
  records: Records,
  key: AttestationKey,
): Promise<Attestation | undefined> {
  const fields = await records.get(attestationRow(key));
  return fields && attestationOf(key, fields);
}

export async function findByContent(
  records: Records,
  organizationId: string,
  chainId: number,
  contentCid: string,
): Promise<Attestation | undefined> {
  const guard = await records.get(contentGuard(organizationId, chainId, contentCid));
  return guard && findAttestation(records, { organizationId, id: guardedId(guard) });
}

/** Stores all records in one write. @returns false if the content already has a valid attestation */
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
    ...(metadata ? [metadataChange(attestation, metadata)] : []),
    ...(replaces === undefined ? [] : [{ key: { ...guard, sk: replaces }, put: {} }]),
    ...addUrlLookUp(attestation),
  ]);
}
