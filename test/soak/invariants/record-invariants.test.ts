import { beforeEach, expect, test } from 'vitest';
import { attestationRow } from '../../../functions/domain/attestation/attestation-records.ts';
import { laneStateRecord } from '../../../functions/domain/lane/lane-records.ts';
import { queuedOperation } from '../../../functions/domain/lane/queue-records.ts';
import { transactionRecord } from '../../../functions/domain/lane/transaction-records.ts';
import { committing, mineAndTick } from '../../fakes/world/steps.ts';
import { alice, makeWorld } from '../../fakes/world/world.ts';
import { checkInvariants } from './record-invariants.ts';

const final = { undone: false };

beforeEach(() => {
  final.undone = false;
});

/** Makes a world whose only attestation has its commit in an open transaction. */
async function watchedWorld() {
  const world = makeWorld();
  const violations: string[] = [];
  checkInvariants(
    world.records,
    () => final.undone,
    (violation) => violations.push(violation),
  );
  const row = await committing(world, alice);
  return { world, row, violations };
}

test('a run without disturbances violates no invariant', async () => {
  const { world, violations } = await watchedWorld();
  await mineAndTick(world, 6);
  expect(violations).toEqual([]);
});

test('the requeueing of a bound operation is detected', async () => {
  const { world, row, violations } = await watchedWorld();
  const operation = { ...row, kind: 'commit' } as const;
  await world.records.update({ key: queuedOperation(world.lane, operation), put: { kind: 'commit' } });
  expect(violations).toEqual([expect.stringContaining('is queued and still bound')]);
});

test('the failure of an attestation with a bound operation is detected', async () => {
  const { world, row, violations } = await watchedWorld();
  await world.records.update({ key: attestationRow(row), set: { status: 'failed', error: 'so' } });
  expect(violations).toEqual([expect.stringContaining('is bound although it failed')]);
});

test('an earlier status and a lost phase are detected', async () => {
  const { world, row, violations } = await watchedWorld();
  await mineAndTick(world);
  await world.records.update({
    key: attestationRow(row),
    set: { status: 'pending', commitPhase: undefined },
  });
  expect(violations).toEqual([
    expect.stringContaining('status of attestation'),
    expect.stringContaining('commitPhase of attestation'),
  ]);
});

test('a skipped nonce and a lost hash are detected', async () => {
  const { world, violations } = await watchedWorld();
  await world.records.update({ key: laneStateRecord(world.lane), set: { nextNonce: 2 } });
  await world.records.update({ key: transactionRecord(world.lane, 0), set: { attempts: [] } });
  expect(violations).toEqual([
    expect.stringContaining('nonce 1 of'),
    expect.stringContaining('lost an attempt'),
  ]);
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
  final.undone = true;
  await undo();
  expect(violations).toHaveLength(2);
});
