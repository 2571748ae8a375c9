import { findAttestation, guardedId } from '../../../../functions/domain/attestation/attestation-records.ts';
import { readContent, readMetadata } from '../../../../functions/domain/attestation/content-records.ts';
import { parseTaskToken } from '../../../../functions/domain/attestation/task-token-records.ts';
import { operationForm } from '../../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../../functions/domain/lane/lane-records.ts';
import { findSignerList } from '../../../../functions/domain/lane/signers.ts';
import { findPayload, findTransaction } from '../../../../functions/domain/lane/transaction-records.ts';
import {
  apiKeyHash,
  authenticate,
  generateApiKey,
  keyRecord,
  listApiKeys,
} from '../../../../functions/domain/organization/api-keys.ts';
import { auditTrail } from '../../../../functions/domain/organization/audit-trail.ts';
import { parseUsage } from '../../../../functions/domain/organization/daily-usage.ts';
import { parseFeeUsage } from '../../../../functions/domain/organization/fee-usage.ts';
import {
  createOrganization,
  listOrganizations,
  readOrganization,
} from '../../../../functions/domain/organization/organization.ts';
import type { Fields, Key, Records } from '../../../../functions/domain/records.ts';
import { rememberedDelegation } from '../../../../functions/domain/requests/delegation.ts';
import { parseRecord } from '../../../../functions/domain/stored-record.ts';
import { MemoryRecords } from '../../../fakes/memory-records/memory-records.ts';

type Reader = (records: Records, key: Key, fields: Fields) => unknown;

const ofOrganization = ({ pk }: Key) => pk.split('#')[0] ?? '';
const behindHash = ({ pk }: Key) => pk.split('#')[1] ?? '';

/** How the service reads each kind of record. */
const readers = {
  attestation: (records, { pk, sk }) => findAttestation(records, { organizationId: pk, id: sk }),
  'content guard': (_, __, fields) => guardedId(fields),
  'content part': (records, key) =>
    readContent(records, { organizationId: ofOrganization(key), contentCid: behindHash(key) }),
  'task token': (_, __, fields) => parseTaskToken(fields),
  metadata: (records, key) =>
    readMetadata(records, { organizationId: ofOrganization(key), id: behindHash(key) }),
  delegation: (_, __, fields) => rememberedDelegation(fields),
  usage: (_, __, fields) => parseUsage(fields),
  'fee usage': (_, __, fields) => parseFeeUsage(fields),
  lane: (records, { pk }) => findLaneState(records, pk),
  transaction: (records, { pk, sk }) => findTransaction(records, pk, Number(sk.slice(3))),
  payload: (records, { pk, sk }) => findPayload(records, pk, Number(sk.slice(6))),
  operation: (_, __, fields) => parseRecord('operation', operationForm, fields),
  'signer list': (records, key) => findSignerList(records, Number(behindHash(key))),
  organization: (records, { pk }) => readOrganization(records, pk),
  directory: async (records) => (await listOrganizations(records))[0],
  'API key': async (records, { pk }) => {
    await createOrganization(records, {
      ...{ id: pk, name: 'The Paper', authorityAddress: `0x${'1'.repeat(40)}`, defaultChainId: null },
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    return (await listApiKeys(records, pk))[0];
  },
  // Under a key made for it: of the one that it was stored for there is but the hash.
  caller: async (records, _, fields) => {
    const key = generateApiKey('test');
    const hash = apiKeyHash(key);
    await records.update({ key: keyRecord(hash.slice(0, 32)), put: { ...fields, hash, revokedAt: null } });
    const { keyId: __, mode: ___, ...caller } = await authenticate(records, key, new Date(0));
    const { hash: storedHash, revokedAt, mode } = fields;
    return { ...caller, ...(mode === undefined ? {} : { mode }), hash: storedHash, revokedAt };
  },
  'audit entry': async (records, key) => (await auditTrail(records, behindHash(key)))[0],
} satisfies Record<string, Reader>;

export type RecordKind = keyof typeof readers;

/** A record of that kind, read from a store that holds it. */
export async function readStored(kind: RecordKind, key: Key, fields: Fields): Promise<unknown> {
  const records = new MemoryRecords();
  await records.update({ key, put: fields });
  const reader: Reader = readers[kind];
  return reader(records, key, fields);
}
