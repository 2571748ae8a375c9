import { createWalletClient, type Hex, http, type PrivateKeyAccount, type TransactionReceipt } from 'viem';
import type { Call } from '../../../functions/domain/chain.ts';
import type { ConnectedChain } from '../../../local/stack/connect-chain.ts';

/** A call that should have succeeded reverted: its gas would be that of a failure. */
export class CallFailedError extends Error {
  override readonly name = 'CallFailedError';
}

/** More gas than any call of the registry takes; unused gas is not paid for. */
const gasLimit = 1_000_000n;

/**
 * Sends calls from one account, in order, and waits until all are mined.
 * @returns their receipts, in order. @throws CallFailedError
 */
export async function sendAll(
  { publicClient, walletClient, rpcUrl }: ConnectedChain,
  account: PrivateKeyAccount,
  calls: readonly Call[],
): Promise<TransactionReceipt[]> {
  const wallet = createWalletClient({ account, chain: walletClient.chain, transport: http(rpcUrl) });
  const first = await publicClient.getTransactionCount({ address: account.address });
  const hashes: Hex[] = [];
  for (const [at, { to, data }] of calls.entries()) {
    hashes.push(await wallet.sendTransaction({ to, data, gas: gasLimit, nonce: first + at }));
  }
  const receipts = await Promise.all(hashes.map((hash) => publicClient.waitForTransactionReceipt({ hash })));
  const failed = receipts.findIndex(({ status }) => status !== 'success');
  if (failed >= 0) throw new CallFailedError(`call ${failed} of ${calls.length} reverted`);
  return receipts;
}
