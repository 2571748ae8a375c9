import { expect, onTestFinished } from 'vitest';
import type { LaneState, Operation, Transaction } from '../../../functions/domain/lane/lane.ts';
import { findLaneState } from '../../../functions/domain/lane/lane-records.ts';
import { listOperations } from '../../../functions/domain/lane/queue-records.ts';
import { findTransaction } from '../../../functions/domain/lane/transaction-records.ts';
import { batchLimits } from '../../../functions/domain/sending/batch-call.ts';
import type { Faults } from '../../fakes/ports/faults.ts';
import { runRealService } from '../../fakes/real/real-service.ts';
import type { RealGiven } from '../../fakes/real/real-settings.ts';
import type { RealWorld } from '../../fakes/real/real-world.ts';
import { checkRealRule } from './rule.ts';

const hour = 3600;

/** The service on real adapters for one test, and stopped with it. */
export async function serve(given: RealGiven = {}, faults?: Faults) {
  const service = await runRealService(faults, given);
  const { world, queue } = service;
  onTestFinished(world.stop);
  return {
    ...service,
    /** Lets simulated time pass until it is so, which it must become. */
    until: async (done: () => Promise<boolean> | boolean, maxSeconds = hour): Promise<void> => {
      expect(await queue.until(async () => done(), maxSeconds), `it is so within ${maxSeconds} s`).toBe(true);
    },
    /** Lets so much simulated time pass, in seconds. */
    pass: async (seconds: number): Promise<void> => {
      let over = false;
      queue.after(seconds, () => {
        over = true;
      });
      await queue.until(async () => over, seconds + 1);
    },
    /** Waits until nothing is owed, which must come to be, by the rule. */
    endsByRule: async (maxSeconds = hour): Promise<void> => {
      expect(await service.untilIdle(maxSeconds), `nothing is owed within ${maxSeconds} s`).toBe(true);
      await checkRealRule(world);
    },
  };
}

export type Served = Awaited<ReturnType<typeof serve>>;

/** The two ways of a call to the registry. */
export const routes: readonly RealGiven[] = [{}, { forwarder: true }];

/** @throws Error when the lane has done nothing yet */
export async function laneOf({ records, lane }: RealWorld): Promise<LaneState> {
  const state = await findLaneState(records, lane);
  if (!state) throw new Error(`no lane ${lane}`);
  return state;
}

/** @throws Error when the nonce was never bound */
export async function transactionOf({ records, lane }: RealWorld, nonce: number): Promise<Transaction> {
  const transaction = await findTransaction(records, lane, nonce);
  if (!transaction) throw new Error(`no transaction ${nonce}`);
  return transaction;
}

/** Transactions of the signer in blocks, whoever made them. */
export function minedCount({ chain, signer }: RealWorld): Promise<number> {
  return chain.node.transactionCount(signer.address);
}

/** What waits to be bound. */
export function queued({ services, queue }: RealWorld): Promise<Operation[]> {
  return listOperations(services, queue, batchLimits.operations);
}
