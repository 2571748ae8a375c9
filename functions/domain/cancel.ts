import type { Transaction } from './lane.ts';
import { changedTransaction, changeTransaction } from './lane-records.ts';
import type { Services } from './services.ts';

/**
 * Records that a transaction is to be cancelled. From then on an empty transfer at its nonce is offered instead; either
 * may be mined, and its operations stay bound until the final receipt decides.
 *
 * @returns nothing when somebody else changed the transaction meanwhile
 */
export async function markCancelling(
  { records, now }: Services,
  transaction: Transaction,
): Promise<Transaction | undefined> {
  const change = { cancelling: true } as const;
  const marked = await records.update(changeTransaction(transaction, change, now()));
  return marked && changedTransaction(transaction, change);
}

/** Cancels a transaction that was bound longer ago than the longest wait; any other is returned as it is. */
export async function cancelOverdue(services: Services, transaction: Transaction): Promise<Transaction> {
  const { lane, nonce, boundAt, cancelling } = transaction;
  const hours = services.settings.maxBoundHours;
  const isOverdue = services.now().getTime() - Date.parse(boundAt) >= hours * 3_600_000;
  if (cancelling || !isOverdue) return transaction;
  services.log.error('transaction overdue, cancelling', new Error(`unmined for ${hours} h`), { lane, nonce });
  return (await markCancelling(services, transaction)) ?? transaction;
}
