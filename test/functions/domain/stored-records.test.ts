import { randomBytes } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  acceptAttestation,
  attestationOf,
  attestationRow,
  findAttestation,
  findAttestations,
  findByContent,
  guardedId,
  rowFields,
} from '../../../functions/domain/attestation/attestation-records.ts';
import {
  contentChanges,
  contentPart,
  metadataRecord,
  readContent,
  readMetadata,
} from '../../../functions/domain/attestation/content-records.ts';
import { parseTaskToken } from '../../../functions/domain/attestation/task-token-records.ts';
import { laneName, operationForm, type Transaction } from '../../../functions/domain/lane/lane.ts';
import { findLaneState, laneStateRecord } from '../../../functions/domain/lane/lane-records.ts';
import { parseSignerList } from '../../../functions/domain/lane/signers.ts';
import {
  changeTransaction,
  findPayload,
  findTransaction,
  payloadRecord,
  transactionRecord,
} from '../../../functions/domain/lane/transaction-records.ts';
import {
  apiKeyHash,
  authenticate,
  generateApiKey,
  keyRecord,
  listApiKeys,
} from '../../../functions/domain/organization/api-keys.ts';
import { auditTrail } from '../../../functions/domain/organization/audit-trail.ts';
import { parseUsage } from '../../../functions/domain/organization/daily-usage.ts';
import { parseFeeUsage } from '../../../functions/domain/organization/fee-usage.ts';
import {
  createOrganization,
  directoryEntry,
  listOrganizations,
  organizationRecord,
  readOrganization,
} from '../../../functions/domain/organization/organization.ts';
import { updateOrganization } from '../../../functions/domain/organization/update-organization.ts';
import type { Fields, Key, Value } from '../../../functions/domain/records.ts';
import { parseDelegation } from '../../../functions/domain/requests/delegation.ts';
import { parseRecord } from '../../../functions/domain/stored-record.ts';
import { MemoryRecords } from '../../fakes/memory-records/memory-records.ts';

const at = '2026-01-01T00:00:00.000Z';
const address = `0x${'a1'.repeat(20)}` as const;
const hash = `0x${'ab'.repeat(32)}` as const;
const [organizationId, id, contentCid] = ['paper', 'one', 'bafkrei'];
const key = { organizationId, id };
const lane = laneName(1, address);

const row = {
  ...{ schema: 1, contentCid, digest: hash, quoteRoot: hash, chainId: 1, authorityAddress: address },
  ...{ registryAddress: address, delegateAddress: address, salt: hash, status: 'pending', createdAt: at },
  ...{ error: null, childAttestationId: null, childSequence: 0, childLinkTxHash: null, run: 1 },
  ...{
    url: 'https://paper.example/',
    attestationIndex: 7,
    commitPhase: 'final',
    linkDelegateAddress: address,
  },
  ...{ sweep: 'due', batch: { lane, nonce: 1, position: 2 } },
};
const operation = { organizationId, id, kind: 'link', queuedAt: at, round: 7, childSequence: 2 };
const state = {
  ...{ schema: 1, nextNonce: 3, minedNonce: 2, finalNonce: 1, lowestSinceBlock: 7, run: 1, version: 4 },
  ...{ retired: 'draining', delegates: [address], registries: [address] },
  spent: { day: '2026-01-01', wei: '100000000000000000000' },
};
const attempt = {
  ...{ hash, signature: `0x${'cd'.repeat(65)}`, sentAt: at, signedAtBlock: 7, cancels: true },
  ...{ maxFeePerGas: '90071992547409931', maxPriorityFeePerGas: '1', gasLimit: '42000' },
};
const receipt = {
  ...{ hash, succeeded: true, blockHash: hash, blockNumber: 8, blockTimestamp: 9 },
  ...{ fee: '90071992547409931', failedPositions: [1] },
};
const transaction = {
  ...{
    schema: 1,
    nonce: 2,
    to: address,
    gasLimit: '21000',
    rollupFee: '7',
    boundAt: at,
    attempts: [attempt],
  },
  ...{ state: 'mined', receipt, lostTo: 'foreign', settledCount: 0, version: 1 },
};
const limits = { attestationsPerDay: 5, feeBudgets: { 1: 0.5 } };
const terms = { authorityAddress: address, defaultChainId: 1, limits };
const organization = { id, name: 'The Paper', ...terms, createdAt: at };

interface Kind {
  readonly key: Key;
  readonly fields: Fields;
  readonly optional?: string;
  readonly read: (records: MemoryRecords, fields: Fields) => unknown;
  /** Name of the record in errors, if it differs. */
  readonly called?: string;
}

const anyKey: Key = { table: 'attestations', pk: 'any', sk: 'record' };
const apiKey = generateApiKey('test');
const hashed = apiKeyHash(apiKey);

/** Kinds of records, and how the service reads each. */
const kinds: Record<string, Kind> = {
  attestation: {
    ...{
      key: attestationRow(key),
      fields: row,
      optional: 'url attestationIndex commitPhase linkDelegateAddress sweep batch',
    },
    read: (_, fields) => attestationOf(key, fields),
  },
  'content guard': { key: anyKey, fields: { id }, read: (_, fields) => guardedId(fields) },
  'content part': {
    key: contentPart(organizationId, contentCid, 0),
    fields: { brotli: brotliCompressSync('An article.') },
    read: (records) => readContent(records, { organizationId, contentCid }),
  },
  metadata: {
    key: metadataRecord(key),
    fields: { json: '{"desk":"foreign"}' },
    read: (records) => readMetadata(records, key),
  },
  'task token': {
    ...{ key: anyKey, fields: { step: 'commit', taskToken: 'AQ==' } },
    read: (_, fields) => parseTaskToken(fields),
  },
  delegation: {
    ...{ key: anyKey, fields: { delegateAddress: address, registryAddress: address } },
    read: (_, fields) => parseDelegation(fields),
  },
  usage: {
    ...{ key: anyKey, fields: { accepted: 2, links: 1 }, optional: 'accepted links' },
    read: (_, fields) => parseUsage(fields),
  },
  'fee usage': { key: anyKey, fields: { gwei: 2_000_001 }, read: (_, fields) => parseFeeUsage(fields) },
  lane: {
    ...{ key: laneStateRecord(lane), fields: state, optional: 'retired spent' },
    read: (records) => findLaneState(records, lane),
  },
  transaction: {
    ...{ key: transactionRecord(lane, 2), fields: transaction, optional: 'rollupFee receipt lostTo' },
    read: (records) => findTransaction(records, lane, 2),
  },
  payload: {
    key: payloadRecord(lane, 2),
    fields: { operations: [operation], data: Uint8Array.of(1, 2) },
    read: (records) => findPayload(records, lane, 2),
  },
  operation: {
    ...{ key: anyKey, fields: operation, optional: 'round childSequence' },
    read: (_, fields) => parseRecord('operation', operationForm, fields),
  },
  'signer list': {
    ...{
      key: anyKey,
      fields: { schema: 1, version: 2, signers: [{ address, keyId: 'k', state: 'active' }] },
    },
    read: (_, fields) => parseSignerList(fields),
  },
  organization: {
    key: organizationRecord(id),
    ...{ fields: { ...organization, revision: 3 }, optional: 'limits revision' },
    read: (records) => readOrganization(records, id),
  },
  directoryEntry: {
    ...{ key: directoryEntry(id), fields: organization, optional: 'limits', called: 'organization' },
    read: (records) => listOrganizations(records),
  },
  'API key': {
    key: { table: 'organizations', pk: id, sk: 'key#f00d' },
    fields: {
      id: 'f00d',
      organizationId,
      mode: 'live',
      createdAt: at,
      revokedAt: null,
      expiresAt: at,
      readOnly: true,
    },
    optional: 'expiresAt readOnly',
    read: async (records) => {
      await createOrganization(records, organization);
      return listApiKeys(records, id);
    },
  },
  caller: {
    key: keyRecord(hashed.slice(0, 32)),
    ...{
      fields: { organizationId, ...terms, expiresAt: at, readOnly: true },
      optional: 'limits expiresAt readOnly',
    },
    read: async (records) => {
      await records.update({ key: keyRecord(hashed.slice(0, 32)), set: { hash: hashed, revokedAt: null } });
      return authenticate(records, apiKey, new Date(0));
    },
  },
  'audit entry': {
    key: { table: 'organizations', pk: `audit#${id}`, sk: 'entry' },
    fields: { organizationId, action: 'key create', by: 'ann', at, details: { mode: 'live' } },
    read: (records) => auditTrail(records, id),
  },
};

async function refusalOf(kind: string, fields: Fields): Promise<string | undefined> {
  const { key, read } = kinds[kind] as Kind;
  const records = new MemoryRecords();
  await records.update({ key, put: fields });
  try {
    await read(records, fields);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

test.each(Object.entries(kinds))(
  'a stored %s may have unknown fields; the error for a wrong field contains its name, but not its value',
  async (kind, { fields, optional = '', called = kind }) => {
    expect(await refusalOf(kind, { ...fields, unknown: { to: ['us'] } })).toBeUndefined();
    for (const [name, value] of Object.entries(fields)) {
      const refusal = `RecordInvalidError: stored ${called}: ${name} is missing or malformed`;
      const { [name]: _, ...rest } = fields;
      expect(await refusalOf(kind, rest)).toBe(optional.split(' ').includes(name) ? undefined : refusal);
      const another = typeof value === 'number' ? 'correct horse battery staple' : 31_337.5;
      expect(await refusalOf(kind, { ...fields, [name]: another })).toBe(refusal);
    }
  },
);

test.each<[kind: string, fields: Record<string, Value>, field: string]>([
  ['attestation', { schema: 2 }, 'schema'],
  ['attestation', { salt: 'correct horse' }, 'salt'],
  ['attestation', { salt: `a${hash}` }, 'salt'],
  ['attestation', { digest: `${hash}g` }, 'digest'],
  ['attestation', { authorityAddress: hash }, 'authorityAddress'],
  ['attestation', { authorityAddress: `a${address}` }, 'authorityAddress'],
  ['attestation', { status: 'lost' }, 'status'],
  ['attestation', { batch: { lane, nonce: 1 } }, 'batch.position'],
  ['content part', { brotli: [1, 2] }, 'brotli'],
  ['content part', { brotli: Uint8Array.of(1, 2, 3) }, 'brotli'],
  ['metadata', { json: 'correct horse' }, 'json'],
  ['metadata', { json: '["correct horse"]' }, 'json'],
  ['metadata', { json: 'null' }, 'json'],
  ['fee usage', { gwei: 1.5 }, 'gwei'],
  ['lane', { delegates: ['correct horse'] }, 'delegates.0'],
  ['lane', { spent: { day: '2026-01-01', wei: '-1' } }, 'spent.wei'],
  ['transaction', { gasLimit: '1a' }, 'gasLimit'],
  ['transaction', { attempts: [attempt, { ...attempt, hash: 'correct horse' }] }, 'attempts.1.hash'],
  ['transaction', { receipt: { ...receipt, failedPositions: ['1'] } }, 'receipt.failedPositions.0'],
  ['payload', { operations: [{ ...operation, kind: 'steal' }] }, 'operations.0.kind'],
  ['signer list', { signers: [{ address, state: 'lost' }] }, 'signers.0.state'],
  ['organization', { limits: { attestationsPerDay: 'correct horse' } }, 'limits.attestationsPerDay'],
  ['organization', { limits: null }, 'limits'],
  ['caller', { limits: [5] }, 'limits'],
  ['caller', { limits: Uint8Array.of(5) }, 'limits'],
])('a stored %s with %o is refused, and the error names %s', async (kind, changed, field) => {
  const { fields } = kinds[kind] as Kind;
  const refusal = `RecordInvalidError: stored ${kind}: ${field} is missing or malformed`;
  expect(await refusalOf(kind, { ...fields, ...changed })).toBe(refusal);
});

test('content stored in parts is read whole, and refused if it was changed', async () => {
  const records = new MemoryRecords();
  const content = `\ufeff${randomBytes(600_000).toString('hex').slice(0, 1_048_573)}`;
  const changes = contentChanges(organizationId, contentCid, new TextEncoder().encode(content));
  expect(changes.length).toBeGreaterThan(1);
  await records.transact(changes);
  expect(await readContent(records, { organizationId, contentCid })).toBe(content);
  await records.update({ key: contentPart(organizationId, contentCid, 1), remove: true });
  await expect(readContent(records, { organizationId, contentCid })).rejects.toThrow('content part: brotli');
});

test('an attestation is read as it was accepted, with its content and metadata', async () => {
  const records = new MemoryRecords();
  const attestation = attestationOf(key, row);
  expect(rowFields(attestation)).toEqual(row);
  const metadata = '{"desk": 1e2}';
  await acceptAttestation(records, { attestation, contentBytes: Uint8Array.of(65), metadata });
  expect(await findAttestation(records, key)).toEqual({ ...row, ...key });
  expect(await findByContent(records, organizationId, 1, contentCid)).toEqual(attestation);
  expect(await readContent(records, attestation)).toBe('A');
  expect(await readMetadata(records, key)).toBe(metadata);
  const other = { organizationId, id: 'other' };
  expect(await findAttestations(records, [other, key])).toEqual([undefined, attestation]);
  await records.update({ key: attestationRow(key), set: { schema: 2 } });
  await expect(findAttestations(records, [other, key])).rejects.toThrow('stored attestation: schema');
});

test('a changed record keeps unknown fields', async () => {
  const records = new MemoryRecords();
  const later = { later: 'added' };
  await records.update({ key: organizationRecord(id), put: { ...organization, ...later } });
  await updateOrganization(records, id, { name: 'Other' });
  expect(records.peek(organizationRecord(id))).toMatchObject({ ...later, name: 'Other', revision: 1 });

  const ofTransaction = transactionRecord(lane, 2);
  const inside = { attempts: [{ ...attempt, ...later }], receipt: { ...receipt, ...later } };
  await records.update({ key: ofTransaction, put: { ...transaction, ...inside, ...later } });
  const read = await findTransaction(records, lane, 2);
  await records.transact(changeTransaction(read as Transaction, { state: 'final' }, new Date(0)));
  const { expiresAt: _, ...kept } = records.peek(ofTransaction) ?? {};
  expect(kept).toEqual({ ...transaction, ...inside, ...later, state: 'final', version: 2 });
});
