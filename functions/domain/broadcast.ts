import { type Hex, parseSignature, serializeTransaction } from 'viem';
import { SignerMismatchError } from './errors.ts';
import type { Attempt, Fees, Transaction } from './lane.ts';
import { parseLane } from './lane.ts';
import { changeTransaction } from './lane-records.ts';
import type { Chain, Signer, Unsigned } from './ports.ts';
import type { Services } from './services.ts';

function unsigned(transaction: Transaction, { maxFeePerGas, maxPriorityFeePerGas }: Fees): Unsigned {
  const { nonce, to, data, gasLimit } = transaction;
  const { chainId } = parseLane(transaction.lane);
  return { chainId, nonce, to, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas };
}

/** The bytes an attempt goes out as, rebuilt from what is stored. */
function rawBytes(transaction: Transaction, attempt: Attempt): Hex {
  const { gasLimit, ...fields } = unsigned(transaction, attempt);
  const signature = parseSignature(attempt.signature);
  return serializeTransaction({ ...fields, gas: gasLimit, type: 'eip1559' }, signature);
}

/** @throws SignerMismatchError when the key is not the one of the lane. */
export async function laneSigner(services: Services, lane: string): Promise<Signer> {
  const signer = await services.signer();
  if (signer.address === parseLane(lane).signerAddress) return signer;
  throw new SignerMismatchError(`the signing key is not the one of lane ${lane}`);
}

/**
 * Signs one more attempt, stores it, and only then sends it: a hash that could appear on-chain is always known.
 * Of two that sign at once the second finds the record changed and discards its own, unsent.
 */
export async function broadcast(
  services: Services,
  chain: Chain,
  transaction: Transaction,
  terms: Fees & Pick<Attempt, 'signedAtBlock'>,
): Promise<void> {
  const signer = await laneSigner(services, transaction.lane);
  const signed = await signer.sign(unsigned(transaction, terms));
  await storeAndSend(services, chain, transaction, [
    ...transaction.attempts,
    { ...terms, ...signed, sentAt: '' },
  ]);
}

/** Sends the bytes of the newest attempt once more, and notes when. */
export async function rebroadcast(services: Services, chain: Chain, transaction: Transaction): Promise<void> {
  await storeAndSend(services, chain, transaction, transaction.attempts);
}

/** A rejection is only logged: it may have been sent all the same. */
async function storeAndSend(
  services: Services,
  chain: Chain,
  transaction: Transaction,
  attempts: readonly Attempt[],
): Promise<void> {
  const now = services.now();
  const newest = attempts.at(-1);
  if (!newest) return;
  const stamped = [...attempts.slice(0, -1), { ...newest, sentAt: now.toISOString() }];
  if (!(await services.records.update(changeTransaction(transaction, { attempts: stamped }, now)))) return;
  const fields = { lane: transaction.lane, nonce: transaction.nonce, hash: newest.hash };
  try {
    await chain.send(rawBytes(transaction, newest));
    services.log.info('transaction sent', fields);
  } catch (error) {
    services.log.error('transaction may not have been sent', error, fields);
  }
}
