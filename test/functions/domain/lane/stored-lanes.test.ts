import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OperationKind } from '../../../../functions/domain/attestation/attestation.ts';
import {
  type LaneState,
  laneName,
  parseLane,
  type Transaction,
} from '../../../../functions/domain/lane/lane.ts';
import {
  findLaneState,
  laneStateRecord,
  type StateFields,
  writeState,
} from '../../../../functions/domain/lane/lane-records.ts';
import {
  listOperations,
  putOperation,
  queuedOperation,
} from '../../../../functions/domain/lane/queue-records.ts';
import { signersRecord } from '../../../../functions/domain/lane/signers.ts';
import {
  changedTransaction,
  changeTransaction,
  findPayload,
  findTransaction,
  putTransaction,
  transactionRecord,
} from '../../../../functions/domain/lane/transaction-records.ts';
import type { Fields } from '../../../../functions/domain/records.ts';
import { MemoryRecords } from '../../../fakes/memory-records/memory-records.ts';
import { FakeLog } from '../../../fakes/ports/fake-log.ts';
import { stateOf } from '../../../fakes/world/steps.ts';
import { makeWorld } from '../../../fakes/world/world.ts';
import { address, hash, signature, text, time, wei } from '../stored/arbitraries.ts';
import { describeKind } from '../stored/describe-kind.ts';

const lane = laneName(1, `0x${'2'.repeat(40)}`);
const { chainId, signerAddress: delegateAddress } = parseLane(lane);
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

const [number, flag] = [fc.nat(), fc.constant(true)] as const;

const changes: fc.Arbitrary<StateFields> = fc.record(
  {
    ...{ nextNonce: number, minedNonce: number, finalNonce: number, lowestSinceBlock: number, run: number },
    ...{ cappedSince: time, paused: text, retired: fc.constantFrom('draining', 'revoked') },
    delegates: fc.array(address),
    registries: fc.array(address),
    spent: fc.record({ day: text, wei: wei.map(String) }),
  },
  { requiredKeys: [] },
);

test('a lane is read as it was opened and changed, without what was removed', async () => {
  await fc.assert(
    fc.asyncProperty(changes, changes, async (first, second) => {
      const { records, ...world } = makeWorld();
      const opened = await stateOf({ records, ...world });
      const removed = Object.fromEntries(Object.keys(first).map((name) => [name, undefined]));
      const { nextNonce, minedNonce, finalNonce, lowestSinceBlock, run, delegates, registries } = opened;
      const kept = { nextNonce, minedNonce, finalNonce, lowestSinceBlock, run, delegates, registries };
      let expected = opened;
      for (const set of [first, { ...removed, ...kept, ...second }]) {
        expected = (await writeState({ records }, expected, set)) as LaneState;
        expect(await findLaneState(records, opened.lane)).toEqual(expected);
      }
    }),
    { numRuns: 30 },
  );
});

const fees = { maxFeePerGas: wei, maxPriorityFeePerGas: wei, legacy: flag };

const attempts = fc.array(
  fc.record(
    {
      ...fees,
      hash,
      signature,
      sentAt: fc.oneof(time, fc.constant('')),
      signedAtBlock: number,
      cancels: flag,
      gasLimit: wei,
    },
    {
      requiredKeys: ['maxFeePerGas', 'maxPriorityFeePerGas', 'hash', 'signature', 'sentAt', 'signedAtBlock'],
    },
  ),
);

const receipts = fc.record({
  ...{
    hash,
    succeeded: fc.boolean(),
    blockHash: hash,
    blockNumber: number,
    blockTimestamp: number,
    fee: wei,
  },
  failedPositions: fc.array(number),
});

const transactions: fc.Arbitrary<Transaction> = fc.record(
  {
    ...{ schema: fc.constant(1), lane: fc.constant(lane), nonce: number, to: address, gasLimit: wei },
    ...{ boundAt: time, attempts, state: fc.constantFrom('open', 'mined', 'final'), settledCount: number },
    ...{ receipt: receipts, formerReceipt: receipts, version: number, cancelling: flag, rollupFee: wei },
    lostTo: fc.constantFrom('foreign', 'revocation'),
  },
  {
    requiredKeys: [
      'schema',
      'lane',
      'nonce',
      'to',
      'gasLimit',
      'boundAt',
      'attempts',
      'state',
      'settledCount',
      'version',
    ],
  },
);

test('a transaction is read as it was written and changed', async () => {
  await fc.assert(
    fc.asyncProperty(transactions, attempts, async (written, more) => {
      const records = new MemoryRecords();
      const find = () => findTransaction(records, lane, written.nonce);
      await records.transact(putTransaction(written, { operations: [], data: '0x' }));
      expect(await find()).toEqual(written);
      const change = { attempts: more, receipt: undefined };
      await records.transact(changeTransaction(written, change, new Date(0)));
      const { receipt: _, ...expected } = changedTransaction(written, change);
      expect(await find()).toMatchObject(expected);
      expect(await find()).not.toHaveProperty('receipt');
    }),
  );
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

const operations = fc.record(
  {
    ...{ organizationId: fc.uuid(), id: fc.uuid(), queuedAt: time },
    kind: fc.constantFrom<OperationKind>('commit', 'reveal', 'link'),
    ...{ round: number, unreadySince: time, retryAt: time, reverts: number, batchLimit: number },
  },
  { requiredKeys: ['organizationId', 'id', 'queuedAt', 'kind'] },
);

test('operations are read as they were queued and bound', async () => {
  await fc.assert(
    fc.asyncProperty(transactions, fc.array(operations), signature, async (bound, all, data) => {
      const records = new MemoryRecords();
      const queue = { chainId, delegateAddress };
      for (const one of all) await records.update(putOperation(queue, one));
      const queued = await listOperations({ records, log: new FakeLog() }, queue, 99);
      expect(new Set(queued)).toEqual(new Set(all));
      await records.transact(putTransaction(bound, { operations: all, data }));
      expect(await findPayload(records, lane, bound.nonce)).toEqual({ operations: all, data });
    }),
  );
});
