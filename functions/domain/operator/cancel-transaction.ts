import { RefusedError } from '../errors.ts';
import type { Transaction } from '../lane/lane.ts';
import { findLaneState } from '../lane/lane-records.ts';
import { findTransaction, transactionsFrom, updateTransaction } from '../lane/transaction-records.ts';
import { retryLostRaces } from '../records.ts';
import type { Services } from '../services.ts';
import { tryStartLane } from './lane-control.ts';

/** Requests a cancellation, which the lane signs at its next tick. The original may still be mined. @throws RefusedError */
export async function cancelTransaction(
  services: Services,
  lane: string,
  nonce?: number,
): Promise<Transaction> {
  const request = async () => {
    const transaction = await findPending(services, lane, nonce);
    return transaction.canceling
      ? transaction
      : updateTransaction(services, transaction, { canceling: true });
  };
  const canceled = await retryLostRaces(request, `lane ${lane}`);
  await tryStartLane(services, lane);
  return canceled;
}

async function findPending(services: Services, lane: string, nonce?: number): Promise<Transaction> {
  if (nonce === undefined) return findLowestPending(services, lane);
  const transaction = await findTransaction(services.records, lane, nonce);
  if (!transaction) throw new RefusedError(`lane ${lane} has no transaction ${nonce}`);
  if (transaction.state !== 'pending')
    throw new RefusedError(`transaction ${nonce} of lane ${lane} is not pending any more`);
  return transaction;
}

async function findLowestPending({ records }: Services, lane: string): Promise<Transaction> {
  const state = await findLaneState(records, lane);
  const unsettled = state ? await transactionsFrom(records, state) : [];
  const lowest = unsettled.find((transaction) => transaction.state === 'pending');
  if (!lowest) throw new RefusedError(`lane ${lane} has no pending transaction`);
  return lowest;
}
