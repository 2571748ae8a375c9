import type { Hex } from 'viem';
import type { Fees, Unsigned } from '../chain.ts';
import { TransactionRefusedError } from '../errors.ts';
import type { Attempt, Payload, Transaction } from '../lane/lane.ts';
import type { LaneServices } from '../lane/lane-services.ts';
import { laneSigner } from '../lane/signers.ts';
import { updateTransaction } from '../lane/transaction-records.ts';
import { signedBytes } from '../raw-transaction.ts';
import { unlessLost } from '../records.ts';

export interface Sendable {
  readonly transaction: Transaction;
  readonly payload: Payload;
}

export type Terms = Fees & Pick<Attempt, 'signedAtBlock' | 'cancels' | 'gasLimit'>;

export function unsigned(services: LaneServices, sendable: Sendable, terms: Terms): Unsigned {
  const { chainId, signerAddress } = services;
  const { nonce, to, gasLimit } = sendable.transaction;
  const { maxFeePerGas, maxPriorityFeePerGas, legacy, cancels, gasLimit: ownLimit = gasLimit } = terms;
  const fees: Fees = { maxFeePerGas, maxPriorityFeePerGas, ...(legacy ? { legacy } : {}) };
  if (!cancels) return { chainId, nonce, to, data: sendable.payload.data, gasLimit, ...fees };
  return { chainId, nonce, to: signerAddress, data: '0x', gasLimit: ownLimit, ...fees };
}

/** Stores an attempt before sending it. If two processes sign, one discards its signature. */
export async function signAndSend(services: LaneServices, sendable: Sendable, terms: Terms): Promise<void> {
  const signer = await laneSigner(services);
  const signed = await signer.sign(unsigned(services, sendable, terms));
  const attempts = [...sendable.transaction.attempts, { ...terms, ...signed, sentAt: '' }];
  await broadcast(services, { ...sendable, transaction: { ...sendable.transaction, attempts } });
}

/** Sends the newest attempt; if it was refused, first the one it replaces. Of a lost nonce, only a cancellation. */
export async function broadcast(services: LaneServices, sendable: Sendable): Promise<void> {
  const { transaction } = sendable;
  const { attempts, lostTo } = transaction;
  const last = attempts.at(-1);
  if (!last || (lostTo && !last.cancels)) return;
  const { refused: _, ...newest }: Attempt = { ...last, sentAt: services.now().toISOString() };
  const stored = updateTransaction(services, transaction, { attempts: attempts.with(-1, newest) });
  const offered = await unlessLost(stored);
  if (!offered) return;
  const mayBeOut = ({ refused, cancels }: Attempt) => !refused && (!lostTo || cancels);
  const replaced = last.refused && attempts.findLast(mayBeOut);
  const refused = new Set<Hex>();
  for (const attempt of replaced ? [replaced, newest] : [newest]) {
    const fields = { lane: transaction.lane, nonce: transaction.nonce, hash: attempt.hash };
    try {
      await services.laneChain.send(signedBytes(unsigned(services, sendable, attempt), attempt.signature));
      services.log.info('transaction sent', fields);
    } catch (error) {
      // After any other error, the transaction may have been sent.
      const isRefused = error instanceof TransactionRefusedError;
      if (isRefused) refused.add(attempt.hash);
      services.log.error(
        isRefused ? 'transaction refused' : 'transaction may not have been sent',
        error,
        fields,
      );
    }
  }
  if (refused.size === 0) return;
  const tried = offered.attempts.map((one) =>
    refused.has(one.hash) ? { ...one, refused: true as const } : one,
  );
  await unlessLost(updateTransaction(services, offered, { attempts: tried }));
}
