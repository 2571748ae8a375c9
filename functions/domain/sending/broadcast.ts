import type { Hex } from 'viem';
import type { Fees, UnsignedTx } from '../chain.ts';
import { TransactionRefusedError } from '../errors.ts';
import type { Attempt, Payload, Transaction } from '../lane/lane.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { laneSigner } from '../lane/signers.ts';
import { updateTransaction } from '../lane/transaction-records.ts';
import { signedBytes } from '../raw-transaction.ts';
import { catchRace } from '../records.ts';

export interface Sendable {
  readonly transaction: Transaction;
  readonly payload: Payload;
}

export type NewAttempt = Fees & Pick<Attempt, 'signedAtBlock' | 'cancels' | 'gasLimit'>;

export function toUnsigned(services: LaneServices, sendable: Sendable, attempt: NewAttempt): UnsignedTx {
  const { chainId, signerAddress } = services;
  const { nonce, to, gasLimit } = sendable.transaction;
  const { maxFeePerGas, maxPriorityFeePerGas, legacy, cancels, gasLimit: cancelLimit = gasLimit } = attempt;
  const fees: Fees = { maxFeePerGas, maxPriorityFeePerGas, ...(legacy ? { legacy } : {}) };
  if (!cancels) return { chainId, nonce, to, data: sendable.payload.data, gasLimit, ...fees };
  return { chainId, nonce, to: signerAddress, data: '0x', gasLimit: cancelLimit, ...fees };
}

/** Signs an attempt, and stores it before sending it. If two processes sign at once, one discards its signature. */
export async function signAndSend(services: LaneServices, sendable: Sendable, attempt: NewAttempt) {
  const signer = await laneSigner(services);
  const signed = await signer.sign(toUnsigned(services, sendable, attempt));
  const attempts = [...sendable.transaction.attempts, { ...attempt, ...signed, sentAt: '' }];
  await broadcast(services, { ...sendable, transaction: { ...sendable.transaction, attempts } });
}

/**
 * Sends the newest attempt. If that attempt was refused before, first sends the attempt that it replaces. For a lost
 * nonce, sends only cancellations.
 */
export async function broadcast(services: LaneServices, sendable: Sendable): Promise<void> {
  const { transaction } = sendable;
  const { attempts, lostTo } = transaction;
  const last = attempts.at(-1);
  if (!last || (lostTo && !last.cancels)) return;
  const { refused: _, ...newest }: Attempt = { ...last, sentAt: services.now().toISOString() };
  const update = updateTransaction(services, transaction, { attempts: attempts.with(-1, newest) });
  const recorded = await catchRace(update);
  if (!recorded) return;
  const mayBePending = ({ refused, cancels }: Attempt) => !refused && (!lostTo || cancels);
  const replaced = last.refused && attempts.findLast(mayBePending);
  const refused = new Set<Hex>();
  for (const attempt of replaced ? [replaced, newest] : [newest]) {
    const fields = { lane: transaction.lane, nonce: transaction.nonce, hash: attempt.hash };
    try {
      await services.laneChain.send(signedBytes(toUnsigned(services, sendable, attempt), attempt.signature));
      services.log.info('transaction sent', fields);
    } catch (error) {
      // After any other error, the transaction may have been sent.
      const isRefused = error instanceof TransactionRefusedError;
      if (isRefused) refused.add(attempt.hash);
      const message = isRefused ? 'transaction refused' : 'transaction may not have been sent';
      services.log.error(message, error, fields);
    }
  }
  if (refused.size === 0) return;
  const marked = recorded.attempts.map((attempt) =>
    refused.has(attempt.hash) ? { ...attempt, refused: true as const } : attempt,
  );
  await catchRace(updateTransaction(services, recorded, { attempts: marked }));
}
