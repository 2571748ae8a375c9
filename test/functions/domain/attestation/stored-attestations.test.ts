import { randomBytes } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Attestation } from '../../../../functions/domain/attestation/attestation.ts';
import {
  acceptAttestation,
  attestationRow,
  findAttestation,
  findAttestations,
  findByContent,
  rowFields,
} from '../../../../functions/domain/attestation/attestation-records.ts';
import {
  contentChanges,
  contentPart,
  metadataRecord,
  readContent,
  readMetadata,
} from '../../../../functions/domain/attestation/content-records.ts';
import { taskTokenRecord } from '../../../../functions/domain/attestation/task-token-records.ts';
import { RecordInvalidError } from '../../../../functions/domain/stored-record.ts';
import { MemoryRecords } from '../../../fakes/memory-records/memory-records.ts';
import { address, hash, text, time } from '../stored/arbitraries.ts';
import { describeKind } from '../stored/describe-kind.ts';

const [organizationId, id, contentCid] = ['paper', 'one', 'bafkrei'];
const key = { organizationId, id };
const phase = fc.constantFrom('queued', 'mined', 'final', 'unneeded', 'refused');

const required = {
  organizationId: fc.constant(organizationId),
  id: fc.constant(id),
  schema: fc.constant(1),
  contentCid: fc.constant(contentCid),
  digest: hash,
  quoteRoot: hash,
  chainId: fc.nat(),
  authorityAddress: address,
  registryAddress: address,
  delegateAddress: address,
  salt: hash,
  status: fc.constantFrom('pending', 'committed', 'confirmed', 'failed'),
  error: fc.option(text),
  createdAt: time,
  childAttestationId: fc.option(text),
  childSequence: fc.nat(),
  childLinkTxHash: fc.option(hash),
  run: fc.nat(),
} as const;

const optional = {
  url: text,
  keyId: text,
  linkKeyId: text,
  confirmedAt: time,
  attestationIndex: fc.nat(),
  commitPhase: phase,
  commitTxHash: hash,
  revealAt: time,
  revealPhase: phase,
  revealTxHash: hash,
  linkPhase: phase,
  linkDelegateAddress: address,
  childDigest: hash,
  childLinkError: text,
  erasedAt: time,
  checkAt: time,
  sweep: fc.constant('due'),
  inFlight: text,
} as const;

const attestations: fc.Arbitrary<Attestation> = fc.record(
  { ...required, ...optional },
  { requiredKeys: Object.keys(required) as (keyof typeof required)[] },
);

const values = { ...required, ...optional };
const some = { error: text, childAttestationId: text, childLinkTxHash: hash };
const narrow = new Set<unknown>([hash, address, phase, values.schema, values.status, values.sweep]);
const [example] = fc.sample(fc.record({ ...values, ...some }), 1);

describeKind({
  kind: 'attestation',
  key: attestationRow(key),
  fields: rowFields(example as Attestation),
  optional: Object.keys(optional),
  narrow: Object.entries({ ...values, ...some }).flatMap(([name, one]) => (narrow.has(one) ? [name] : [])),
});

describeKind({
  kind: 'content guard',
  key: { table: 'attestations', pk: `${organizationId}#1#${contentCid}`, sk: 'guard' },
  fields: { id },
  ...{ optional: [], narrow: [] },
});

describeKind({
  kind: 'content part',
  key: contentPart(organizationId, contentCid, 0),
  fields: { brotli: brotliCompressSync('An article.') },
  ...{ optional: [], narrow: [] },
});

describeKind({
  kind: 'task token',
  key: taskTokenRecord(key),
  fields: { step: 'commit', taskToken: 'AQ==' },
  ...{ optional: [], narrow: ['step'] },
});

test('a content in parts is read whole, and one that is no longer what was stored is not read', async () => {
  const records = new MemoryRecords();
  const content = randomBytes(700_000).toString('hex').slice(0, 1_048_576);
  const changes = contentChanges(organizationId, contentCid, new TextEncoder().encode(content));
  expect(changes.length).toBeGreaterThan(1);
  await records.transact(changes);
  expect(await readContent(records, { organizationId, contentCid })).toBe(content);
  await records.update({ key: contentPart(organizationId, contentCid, 1), remove: true });
  await expect(readContent(records, { organizationId, contentCid })).rejects.toThrow(RecordInvalidError);
});

describeKind({
  kind: 'metadata',
  key: metadataRecord(key),
  fields: { json: '{"desk":"foreign"}' },
  ...{ optional: [], narrow: ['json'] },
});

test('an attestation is read as it was accepted, with its content and metadata', async () => {
  await fc.assert(
    fc.asyncProperty(
      attestations,
      fc.string({ unit: 'binary' }),
      fc.dictionary(text, fc.jsonValue()),
      async (attestation, content, metadata) => {
        const records = new MemoryRecords();
        const contentBytes = new TextEncoder().encode(content);
        await acceptAttestation(records, { attestation, contentBytes, metadata: JSON.stringify(metadata) });
        expect(await findAttestation(records, key)).toEqual(attestation);
        const { chainId } = attestation;
        expect(await findByContent(records, organizationId, chainId, contentCid)).toEqual(attestation);
        expect(await readContent(records, attestation)).toBe(content);
        expect(await readMetadata(records, key)).toBe(JSON.stringify(metadata));
      },
    ),
  );
});

test('of several attestations the absent ones are undefined, and one that does not fit is refused', async () => {
  const records = new MemoryRecords();
  const attestation = example as Attestation;
  await acceptAttestation(records, { attestation, contentBytes: Uint8Array.of(65) });
  const other = { organizationId, id: 'other' };
  expect(await findAttestations(records, [other, key])).toEqual([undefined, attestation]);
  await records.update({ key: attestationRow(key), set: { schema: 2 } });
  await expect(findAttestations(records, [other, key])).rejects.toThrow('stored attestation: schema');
});
