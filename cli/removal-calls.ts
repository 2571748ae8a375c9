import type { Address } from 'viem';
import { ChainUnreachableError } from '../functions/domain/errors.ts';
import type { Chain } from '../functions/domain/ports.ts';
import { type AdminCall, adminCall } from './admin-call.ts';

/** What the forwarders' admin has to do so that none of them takes calls from the key any more. */
export async function removalCalls(
  chain: Chain,
  address: Address,
  forwarders: readonly Address[],
): Promise<AdminCall[]> {
  const operated = await Promise.all(
    forwarders.map((forwarder) => chain.isOperator(forwarder, address).catch(maybe)),
  );
  return forwarders
    .filter((_, position) => operated[position])
    .map((forwarder) => adminCall('removeOperator', forwarder, address));
}

/** Where the chain does not say, a call too many does no harm. */
function maybe(error: unknown): true {
  if (error instanceof ChainUnreachableError) return true;
  throw error;
}
