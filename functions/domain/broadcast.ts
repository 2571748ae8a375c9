import { parseSignature, serializeTransaction } from 'viem';
import { SignerMismatchError } from './errors.ts';
import type { Attempt, Fees, Transaction } from './lane.ts';
import { parseLane } from './lane.ts';
import { changeTransaction } from './lane-records.ts';
import type { Chain, Unsigned } from './ports.ts';
import type { Services } from './services.ts';

function unsigned(transaction: Transaction, { maxFeePerGas, maxPriorityFeePerGas }: Fees): Unsigned {
  const { nonce, to, data, gasLimit } = transaction;
  const { chainId } = parseLane(transaction.lane);
  return { chainId, nonce, to, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas };
}

/** The bytes an attempt goes out as, rebuilt from what is stored. */
export function rawBytes(transaction: Transaction, attempt: Attempt) {
  const { gasLimit, ...fields } = unsigned(transaction, attempt);
  return serializeTransaction(
    { ...fields, gas: gasLimit, type: 'eip1559' },
    parseSignature(attempt.signature),
  );
}

/** Sends the bytes of the newest attempt. A rejection is only logged: it may have been sent all the same. */
export async function send(services: Services, chain: Chain, transaction: Transaction): Promise<void> {
  const attempt = transaction.attempts.at(-1);
  if (!attempt) return;
  const { lane, nonce } = transaction;
  try {
    await chain.send(rawBytes(transaction, attempt));
    services.log.info('transaction sent', { lane, nonce, hash: attempt.hash });
  } catch (error) {
    services.log.error('transaction may not have been sent', error, { lane, nonce, hash: attempt.hash });
  }
}

/**
 * Signs one more attempt, stores it, and only then sends it: a hash that could appear on-chain is always known.
 * Of two that sign at once the second finds the record changed and discards its own, unsent.
 */
export async function broadcast(
  services: Services,
  chain: Chain,
  transaction: Transaction,
  fees: Fees,
): Promise<void> {
  const signer = await services.signer();
  if (signer.address !== parseLane(transaction.lane).signerAddress) {
    throw new SignerMismatchError(`the signing key is not the one of lane ${transaction.lane}`);
  }
  const signed = await signer.sign(unsigned(transaction, fees));
  const now = services.now();
  const attempt: Attempt = { ...fees, ...signed, signedAt: now.toISOString() };
  const attempts = [...transaction.attempts, attempt];
  const change = changeTransaction(transaction, { attempts }, now);
  if (await services.records.update(change)) await send(services, chain, { ...transaction, attempts });
}
