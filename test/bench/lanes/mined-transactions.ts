import type { Operation } from '../../../functions/domain/lane/lane.ts';
import { findPayload, findTransaction } from '../../../functions/domain/lane/transaction-records.ts';
import type { ConnectedChain } from '../../../local/stack/connect-chain.ts';
import type { BenchLane } from './bench-lane.ts';

/** A mined transaction of the lane, with its operations. */
export interface MinedTransaction {
  readonly nonce: number;
  readonly blockNumber: number;
  readonly gasUsed: number;
  readonly operations: readonly Operation[];
}

/** A transaction that should be mined is not, or calls in it failed: its numbers would mislead. */
export class TransactionFailedError extends Error {
  override readonly name = 'TransactionFailedError';
}

/** Reads the lane's transactions from one nonce up to another, by their receipts. @throws TransactionFailedError */
export function minedTransactions(
  lane: BenchLane,
  chain: ConnectedChain,
  nonces: { readonly from: number; readonly to: number },
): Promise<MinedTransaction[]> {
  const wanted = Array.from({ length: nonces.to - nonces.from }, (_, position) => nonces.from + position);
  return Promise.all(wanted.map((nonce) => minedTransaction(lane, chain, nonce)));
}

async function minedTransaction(
  { services: { records }, lane }: BenchLane,
  { publicClient }: ConnectedChain,
  nonce: number,
): Promise<MinedTransaction> {
  const [transaction, { operations }] = await Promise.all([
    findTransaction(records, lane, nonce),
    findPayload(records, lane, nonce),
  ]);
  const { hash, failedPositions } = transaction?.receipt ?? {};
  if (!hash || failedPositions?.length !== 0) throw new TransactionFailedError(`nonce ${nonce}`);
  const receipt = await publicClient.getTransactionReceipt({ hash });
  if (receipt.status !== 'success') throw new TransactionFailedError(`nonce ${nonce}: ${hash}`);
  return { nonce, operations, blockNumber: Number(receipt.blockNumber), gasUsed: Number(receipt.gasUsed) };
}
