import type { Hex } from 'viem';
import type { Chain, Fees, Unsigned } from '../chain.ts';
import { type Attempt, parseLane, type Transaction } from '../lane/lane.ts';
import { laneSigner } from '../lane/signers.ts';
import { changeTransaction } from '../lane/transaction-records.ts';
import type { Services } from '../services.ts';
import { signedBytes } from './raw-transaction.ts';

/** A transaction with what it carries. */
export interface Sendable {
  readonly transaction: Transaction;
  readonly data: Hex;
}

/** What an attempt is made on: its fees, when, and whether it is to do nothing but spend the nonce. */
export type Terms = Fees & Pick<Attempt, 'signedAtBlock' | 'cancels'>;

/** Enough for an empty transfer, also where the cost of publishing it counts as gas. */
const cancellationGas = 100_000n;

/** Gas that the newest or next attempt may take. */
export function attemptGas({ cancelling, gasLimit }: Pick<Transaction, 'cancelling' | 'gasLimit'>): bigint {
  return cancelling ? cancellationGas : gasLimit;
}

function unsigned({ transaction, data }: Sendable, terms: Fees & Pick<Attempt, 'cancels'>): Unsigned {
  const { nonce, to, gasLimit } = transaction;
  const { chainId, signerAddress } = parseLane(transaction.lane);
  const { maxFeePerGas, maxPriorityFeePerGas, legacy } = terms;
  const fees: Fees = { maxFeePerGas, maxPriorityFeePerGas, ...(legacy ? { legacy } : {}) };
  return terms.cancels
    ? { chainId, nonce, to: signerAddress, data: '0x', gasLimit: cancellationGas, ...fees }
    : { chainId, nonce, to, data, gasLimit, ...fees };
}

/**
 * Signs one more attempt, stores it, and only then sends it: a hash that could appear on-chain is always known.
 * Of two that sign at once the second finds the record changed and discards its own, unsent.
 */
export async function broadcast(
  services: Services,
  chain: Chain,
  sendable: Sendable,
  terms: Terms,
): Promise<void> {
  const { transaction } = sendable;
  const signer = await laneSigner(services, transaction.lane);
  const signed = await signer.sign(unsigned(sendable, terms));
  const attempts = [...transaction.attempts, { ...terms, ...signed, sentAt: '' }];
  await storeAndSend(services, chain, sendable, attempts);
}

/** Sends the bytes of the newest attempt once more, and notes when. */
export async function rebroadcast(services: Services, chain: Chain, sendable: Sendable): Promise<void> {
  await storeAndSend(services, chain, sendable, sendable.transaction.attempts);
}

/** A rejection is only logged: it may have been sent all the same. */
async function storeAndSend(
  services: Services,
  chain: Chain,
  sendable: Sendable,
  attempts: readonly Attempt[],
): Promise<void> {
  const { transaction } = sendable;
  const now = services.now();
  const newest = attempts.at(-1);
  if (!newest) return;
  const stamped = [...attempts.slice(0, -1), { ...newest, sentAt: now.toISOString() }];
  if (!(await services.records.update(changeTransaction(transaction, { attempts: stamped }, now)))) return;
  const fields = { lane: transaction.lane, nonce: transaction.nonce, hash: newest.hash };
  try {
    await chain.send(signedBytes(unsigned(sendable, newest), newest.signature));
    services.log.info('transaction sent', fields);
  } catch (error) {
    services.log.error('transaction may not have been sent', error, fields);
  }
}
