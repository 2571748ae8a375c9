import { expect } from 'vitest';
import type { OperationPhase } from '../../../functions/domain/attestation/attestation.ts';
import type { LaneState } from '../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import { listOperations } from '../../../functions/domain/lane/queue-records.ts';
import { findPayload, transactionsFrom } from '../../../functions/domain/lane/transaction-records.ts';
import type { RandomBytes } from '../../../functions/domain/services.ts';
import { hashesOf } from '../../fakes/checks/done-operations.ts';
import { doneIn } from '../../fakes/checks/outcome-checks.ts';
import type { World } from '../../fakes/world/world.ts';

/** All that a lane is to be judged by: what was queued, and what might excuse that it is not done. */
export interface LaneModel {
  /** Attestations whose commit was queued, with their organisations. */
  readonly owed: Map<string, string>;
  /** Blocks in which every call reverted. */
  revertingBlocks: number;
  readonly random: RandomBytes;
}

/** Transactions of an operation alone that revert for no lasting reason, until it is given up. */
const revertsUntilRefused = 4;

const ends: readonly (OperationPhase | undefined)[] = ['final', 'refused'];

/** A lane begins only when all that its key sent before is final. */
function unopened({ lane }: World): LaneState {
  return {
    schema: 1,
    lane,
    nextNonce: 0,
    minedNonce: 0,
    finalNonce: 0,
    lowestSinceBlock: 0,
    delegates: [],
    registries: [],
    run: 0,
    version: 0,
  };
}

/** Each operation is in one place: queued, in one open transaction, or done; and never done twice. */
export async function checkLane(model: LaneModel, world: World): Promise<void> {
  const state = (await findLaneState(world.records, world.lane)) ?? unopened(world);
  const { finalNonce, minedNonce, nextNonce } = state;
  expect(finalNonce).toBeLessThanOrEqual(minedNonce);
  expect(minedNonce).toBeLessThanOrEqual(nextNonce);
  const unsettled = await transactionsFrom(world.records, state);
  const expected = Array.from({ length: nextNonce - finalNonce }, (_, position) => finalNonce + position);
  expect(unsettled.map(({ nonce }) => nonce)).toEqual(expected);
  const states = expected.map((nonce) => (nonce < minedNonce ? 'mined' : 'open'));
  expect(unsettled.map((transaction) => transaction.state)).toEqual(states);
  const payloads = unsettled.map(({ lane, nonce }) => findPayload(world.records, lane, nonce));
  const bound = (await Promise.all(payloads)).flatMap(({ operations }) => operations);
  const queued = await listOperations(world, world.queue, 1000);
  const done = (await rowsOf(model, world)).filter(({ commitPhase }) => ends.includes(commitPhase));
  const places = [...queued, ...bound, ...done].map(({ id }) => id);
  expect(places.sort()).toEqual([...model.owed.keys()].sort());
  for (const hashes of doneIn(world).values()) expect(hashes).toHaveLength(1);
}

/** When nothing is owed any more all operations are done, each once; none is refused but for reverting. */
export async function checkDone(model: LaneModel, world: World): Promise<void> {
  expect(await world.owes()).toBe(false);
  const successes = doneIn(world);
  for (const row of await rowsOf(model, world)) {
    const isRefused = model.revertingBlocks >= revertsUntilRefused && row.commitPhase === 'refused';
    if (!isRefused) expect(row.commitPhase, row.id).toBe('final');
    expect(hashesOf(successes, row, 'commit').length, row.id).toBe(isRefused ? 0 : 1);
  }
  const nonces = world.chain.receipts().map(({ nonce }) => nonce);
  expect(nonces).toEqual(nonces.map((_, position) => position));
}

function rowsOf({ owed }: LaneModel, world: World) {
  const keys = [...owed].map(([id, organizationId]) => ({ organizationId, id }));
  return Promise.all(keys.map((key) => world.row(key)));
}
