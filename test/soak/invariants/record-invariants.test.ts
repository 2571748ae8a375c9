import { expect, test } from 'vitest';
import { attestationRow } from '../../../functions/domain/attestation/attestation-records.ts';
import { laneStateRecord } from '../../../functions/domain/lane/lane-records.ts';
import { queuedOperation } from '../../../functions/domain/lane/queue-records.ts';
import { transactionRecord } from '../../../functions/domain/lane/transaction-records.ts';
import type { Change, Key } from '../../../functions/domain/records.ts';
import { mineAndTick, startCommit } from '../../fakes/world/steps.ts';
import { alice, makeWorld } from '../../fakes/world/world.ts';
import { checkInvariants } from './record-invariants.ts';

/** Makes a world whose only attestation has its commit in a pending transaction. */
async function watchedWorld() {
  const world = makeWorld();
  const violations: string[] = [];
  checkInvariants(
    world.records,
    () => world.chain.undidFinal,
    (violation) => violations.push(violation),
  );
  const row = await startCommit(world, alice);
  return { world, row, violations };
}

test('a run without disturbances violates no invariant', async () => {
  const { world, violations } = await watchedWorld();
  await mineAndTick(world, 6);
  expect(violations).toEqual([]);
});

type Keys = Record<'row' | 'queued' | 'lane' | 'transaction', Key>;

test.each<[name: string, blocks: number, change: (keys: Keys) => Change, violations: readonly string[]]>([
  [
    'the requeueing of a bound operation',
    0,
    ({ queued }) => ({ key: queued, put: { kind: 'commit' } }),
    ['is queued and still bound'],
  ],
  [
    'the failure of an attestation with a bound operation',
    0,
    ({ row }) => ({ key: row, set: { status: 'failed', error: 'so' } }),
    ['is bound although it failed'],
  ],
  [
    'an earlier status and a lost phase',
    1,
    ({ row }) => ({ key: row, set: { status: 'pending', commitPhase: undefined } }),
    ['status of attestation', 'commitPhase of attestation'],
  ],
  ['a skipped nonce', 0, ({ lane }) => ({ key: lane, set: { nextNonce: 2 } }), ['nonce 1 of']],
  ['a lost hash', 0, ({ transaction }) => ({ key: transaction, set: { attempts: [] } }), ['lost an attempt']],
])('%s is detected', async (_, blocks, change, expected) => {
  const { world, row, violations } = await watchedWorld();
  await mineAndTick(world, blocks);
  const keys = {
    ...{ row: attestationRow(row), queued: queuedOperation(world.lane, { ...row, kind: 'commit' }) },
    ...{ lane: laneStateRecord(world.lane), transaction: transactionRecord(world.lane, 0) },
  };
  await world.records.update(change(keys));
  expect(violations).toEqual(expected.map((text) => expect.stringContaining(text)));
});

test('a final transaction that is no longer final is detected, unless the chain undid a final block', async () => {
  const { world, row, violations } = await watchedWorld();
  await mineAndTick(world, 6);
  const undo = async () => {
    await world.records.update({ key: attestationRow(row), set: { commitPhase: 'queued' } });
    await world.records.update({ key: transactionRecord(world.lane, 0), set: { state: 'mined' } });
    await world.records.update({ key: transactionRecord(world.lane, 0), set: { state: 'final' } });
    await world.records.update({ key: attestationRow(row), set: { commitPhase: 'final' } });
  };
  await undo();
  expect(violations).toEqual([
    expect.stringContaining('commitPhase of attestation'),
    expect.stringContaining('was final'),
  ]);
  world.chain.undidFinal = true;
  await undo();
  expect(violations).toHaveLength(2);
});
