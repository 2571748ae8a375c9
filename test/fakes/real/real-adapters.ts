import { connectProviders } from '../../../functions/adapters/chain/providers.ts';
import type { RpcLimits } from '../../../functions/adapters/chain/transport.ts';
import { viemChain } from '../../../functions/adapters/chain/viem-chain.ts';
import type { Chain } from '../../../functions/domain/chain.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';

/** All servers are local: one that does not answer at once has a fault. */
const promptLimits: RpcLimits = { timeoutMilliseconds: 2_000, totalTimeoutMilliseconds: 1_000, retries: 0 };

/** Makes the chain on the service's own adapters, through these providers. */
export function chainThrough(urls: readonly string[], settings: ChainSettings, limits = promptLimits): Chain {
  const providers = connectProviders(urls, settings, limits);
  const { timeoutMilliseconds } = limits;
  return viemChain({ settings, connect: async () => providers, timeoutMilliseconds });
}
