import { expect, onTestFinished } from 'vitest';
import type { Attestation } from '../../../functions/domain/attestation/attestation.ts';
import { attestationOf } from '../../../functions/domain/attestation/attestation-records.ts';
import type { LaneState, Operation, Transaction } from '../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import { listOperations } from '../../../functions/domain/lane/queue-records.ts';
import { findTransaction } from '../../../functions/domain/lane/transaction-records.ts';
import { checkOutcomes } from '../checks/outcome-checks.ts';
import { evidenceOf } from './real-evidence.ts';
import { runRealService } from './real-service.ts';
import type { RealWorldOptions } from './real-settings.ts';
import type { RealWorld } from './real-world.ts';

const hour = 3600;

/** Runs the service on real adapters, and stops it at the end of the test. */
export async function serve(options: RealWorldOptions = {}) {
  const service = await runRealService(options);
  const { world, queue } = service;
  onTestFinished(world.stop);
  return {
    ...service,
    /** Advances simulated time until the condition holds, which it must. */
    until: async (done: () => Promise<boolean> | boolean, maxSeconds = hour): Promise<void> => {
      expect(
        await queue.until(async () => done(), maxSeconds),
        `the condition holds within ${maxSeconds} s`,
      ).toBe(true);
    },
    advance: (seconds: number) => queue.until(async () => false, seconds),
    finishAndCheck: async (maxSeconds = hour): Promise<void> => {
      expect(await service.untilIdle(maxSeconds), `no work is left within ${maxSeconds} s`).toBe(true);
      await checkOutcomes(await evidenceOf(world));
    },
  };
}

export type Served = Awaited<ReturnType<typeof serve>>;

export async function laneOf({ records, lane }: RealWorld): Promise<LaneState> {
  const state = await findLaneState(records, lane);
  if (!state) throw new Error(`no lane ${lane}`);
  return state;
}

export async function transactionOf({ records, lane }: RealWorld, nonce: number): Promise<Transaction> {
  const transaction = await findTransaction(records, lane, nonce);
  if (!transaction) throw new Error(`no transaction ${nonce}`);
  return transaction;
}

export function queued({ services, queue }: RealWorld): Promise<Operation[]> {
  return listOperations(services, queue, 96);
}

/** Returns all attestations, oldest first. */
export async function rowsOf({ records }: RealWorld): Promise<Attestation[]> {
  const stored = await records.all();
  return stored
    .filter(({ fields }) => fields.contentCid !== undefined)
    .map(({ key: { pk, sk }, fields }) => attestationOf({ organizationId: pk, id: sk }, fields))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Checks the number of attestations, and that each is confirmed. */
export async function expectAllConfirmed(world: RealWorld, count: number): Promise<void> {
  const statuses = (await rowsOf(world)).map(({ status }) => status);
  expect(statuses).toEqual(Array(count).fill('confirmed'));
}
