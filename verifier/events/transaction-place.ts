import { malformed, quantityIn } from '../chain/block.ts';
import type { Provider } from '../chain/provider.ts';
import type { Hex } from '../hex.ts';

/** Where something is in the order of a chain's events. */
export interface EventPlace {
  readonly blockNumber: number;
  readonly logIndex: number;
}

const method = 'eth_getTransactionReceipt';

/** The place of a transaction's first log; `undefined` where the provider has no such transaction, or it has no log. */
export async function findPlace(provider: Provider, transaction: Hex): Promise<EventPlace | undefined> {
  const receipt = await provider.ask(method, [transaction]);
  if (receipt === null) return undefined;
  if (typeof receipt !== 'object' || !('blockNumber' in receipt) || !('logs' in receipt))
    throw malformed(method);
  const { blockNumber, logs } = receipt;
  const [log]: unknown[] = Array.isArray(logs) ? logs : [];
  if (typeof log !== 'object' || log === null || !('logIndex' in log)) return undefined;
  return { blockNumber: quantityIn(blockNumber, method), logIndex: quantityIn(log.logIndex, method) };
}
