import { expect, test } from 'vitest';
import { laneName, type Transaction } from '../../../../functions/domain/lane/lane.ts';
import { laneStateRecord } from '../../../../functions/domain/lane/lane-records.ts';
import { queuedOperation } from '../../../../functions/domain/lane/queue-records.ts';
import { signersRecord } from '../../../../functions/domain/lane/signers.ts';
import {
  changeTransaction,
  findTransaction,
  transactionRecord,
} from '../../../../functions/domain/lane/transaction-records.ts';
import type { Fields } from '../../../../functions/domain/records.ts';
import { MemoryRecords } from '../../../fakes/memory-records/memory-records.ts';
import { describeKind } from '../stored/describe-kind.ts';

const lane = laneName(1, `0x${'2'.repeat(40)}`);
const at = '2026-01-01T00:00:00.000Z';
const to = `0x${'1'.repeat(40)}`;
const [hexHash, hexSignature] = [`0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(65)}`];

const state = {
  ...{ schema: 1, nextNonce: 3, minedNonce: 2, finalNonce: 1, lowestSinceBlock: 7, run: 1, version: 4 },
  ...{ cappedSince: at, paused: 'by hand', retired: 'draining', delegates: [to], registries: [to] },
  spent: { day: '2026-01-01', wei: '100000000000000000000' },
};

describeKind({
  kind: 'lane',
  key: laneStateRecord(lane),
  fields: state,
  optional: ['cappedSince', 'paused', 'retired', 'spent'],
  narrow: ['schema', 'retired', 'delegates', 'registries', 'spent'],
});

const attempt = {
  ...{ hash: hexHash, signature: hexSignature, sentAt: at, signedAtBlock: 7, cancels: true, legacy: true },
  ...{ maxFeePerGas: '90071992547409931', maxPriorityFeePerGas: '1', gasLimit: '42000' },
};

const receipt = {
  ...{ hash: hexHash, succeeded: true, blockHash: hexHash, blockNumber: 8, blockTimestamp: 9 },
  ...{ fee: '90071992547409931', failedPositions: [1] },
};

const transaction = {
  ...{
    schema: 1,
    nonce: 2,
    to,
    gasLimit: '21000',
    rollupFee: '7',
    boundAt: at,
    attempts: [attempt],
    state: 'mined',
    receipt,
  },
  ...{ formerReceipt: receipt, lostTo: 'foreign', cancelling: true, settledCount: 0, version: 1 },
};

const key = transactionRecord(lane, 2);

describeKind({
  ...{ kind: 'transaction', key, fields: transaction },
  optional: ['rollupFee', 'receipt', 'formerReceipt', 'lostTo', 'cancelling'],
  narrow: ['schema', 'to', 'gasLimit', 'rollupFee', 'state', 'lostTo'],
});

describeKind({
  ...{ kind: 'transaction', part: 'attempts.1', key, fields: attempt },
  optional: ['cancels', 'legacy', 'gasLimit'],
  narrow: ['hash', 'signature', 'maxFeePerGas', 'maxPriorityFeePerGas', 'gasLimit'],
  within: (part) => ({ ...transaction, attempts: [attempt, part] }),
});

describeKind({
  ...{ kind: 'transaction', part: 'formerReceipt', key, fields: receipt, optional: [] },
  narrow: ['hash', 'blockHash', 'fee', 'failedPositions'],
  within: (part) => ({ ...transaction, formerReceipt: part }),
});

const operation = {
  ...{ organizationId: 'paper', id: 'one', queuedAt: at, reverts: 1, batchLimit: 48 },
  ...{ round: 7, unreadySince: at, retryAt: at },
  ...{ childSequence: 2, childAttestationId: 'two', attestationIndex: 3 },
  kind: 'link',
} as const;

const linkFields = ['childSequence', 'childAttestationId', 'attestationIndex'];
const optionalOfOperation = ['round', 'unreadySince', 'retryAt', 'reverts', 'batchLimit', ...linkFields];

describeKind({
  kind: 'operation',
  key: queuedOperation(lane, operation),
  fields: operation,
  ...{ optional: optionalOfOperation, narrow: ['kind'] },
});

const payload: Fields = { operations: [operation], data: Uint8Array.of(1, 2) };
const payloadKey = { ...key, sk: key.sk.replace('TX', 'CALLS') };

describeKind({ kind: 'payload', key: payloadKey, fields: payload, optional: [], narrow: [] });

describeKind({
  ...{ kind: 'payload', part: 'operations.1', key: payloadKey, fields: operation },
  ...{ optional: optionalOfOperation, narrow: ['kind'] },
  within: (part) => ({ ...payload, operations: [operation, part] }),
});

const signer = { address: to, keyId: 'key', state: 'active' };
const list = { schema: 1, version: 2, signers: [signer] };

describeKind({
  kind: 'signer list',
  key: signersRecord(1),
  fields: list,
  ...{ optional: [], narrow: ['schema'] },
});

describeKind({
  ...{ kind: 'signer list', part: 'signers.1', key: signersRecord(1), fields: signer, optional: ['keyId'] },
  narrow: ['address', 'state'],
  within: (part) => ({ ...list, signers: [signer, part] }),
});

test('a transaction keeps the fields that nobody here knows when it is changed', async () => {
  const records = new MemoryRecords();
  const later = { later: 'added' };
  const whole = { ...transaction, attempts: [{ ...attempt, ...later }], receipt: { ...receipt, ...later } };
  await records.update({ key, put: { ...whole, ...later } });
  const read = await findTransaction(records, lane, 2);
  await records.transact(changeTransaction(read as Transaction, { state: 'final' }, new Date(0)));
  const { attempts: kept, receipt: keptReceipt, ...fields } = records.peek(key) ?? {};
  expect([fields, keptReceipt, kept]).toMatchObject([later, later, [later]]);
});
