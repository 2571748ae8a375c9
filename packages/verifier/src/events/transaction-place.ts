import { type Provider, ProviderFaultError } from '../chain/provider.ts';
import type { Hex } from '../hex.ts';

/** Where something is in the order of a chain's events. */
export interface EventPlace {
  readonly blockNumber: number;
  readonly logIndex: number;
}

/**
 * The place of a transaction's first log. @throws NodeRefusalError; ProviderFaultError where the provider lacks it, or its
 * logs
 */
export async function findPlace(provider: Provider, transaction: Hex): Promise<EventPlace> {
  const receipt = await provider.askPart('eth_getTransactionReceipt', [transaction]);
  if (receipt.value === null) throw new ProviderFaultError('has no such transaction');
  const [log] = receipt.field('logs').list(0, Number.POSITIVE_INFINITY, (one) => one);
  if (!log) throw new ProviderFaultError('has no events of the transaction');
  return {
    blockNumber: receipt.field('blockNumber').quantity(),
    logIndex: log.field('logIndex').quantity(),
  };
}
