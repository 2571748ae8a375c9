import { malformed, quantityIn } from '../chain/block.ts';
import { type Provider, ProviderFaultError } from '../chain/provider.ts';
import type { Hex } from '../hex.ts';

/** Where something is in the order of a chain's events. */
export interface EventPlace {
  readonly blockNumber: number;
  readonly logIndex: number;
}

const method = 'eth_getTransactionReceipt';

/**
 * The place of a transaction's first log.
 * @throws NodeRefusalError; ProviderFaultError where the provider has no such transaction, or without logs
 */
export async function findPlace(provider: Provider, transaction: Hex): Promise<EventPlace> {
  const receipt = await provider.ask(method, [transaction]);
  if (receipt === null) throw new ProviderFaultError('has no such transaction');
  if (typeof receipt !== 'object' || !('blockNumber' in receipt) || !('logs' in receipt))
    throw malformed(method);
  const { blockNumber, logs } = receipt;
  const [log]: unknown[] = Array.isArray(logs) ? logs : [];
  if (typeof log !== 'object' || log === null || !('logIndex' in log))
    throw new ProviderFaultError('has no events of the transaction');
  return { blockNumber: quantityIn(blockNumber, method), logIndex: quantityIn(log.logIndex, method) };
}
