import { connectProviders } from '../../../functions/adapters/chain/providers.ts';
import type { RpcLimits } from '../../../functions/adapters/chain/transport.ts';
import { viemChain } from '../../../functions/adapters/chain/viem-chain.ts';
import type { Chain } from '../../../functions/domain/chain.ts';
import type { ChainSettings } from '../../../functions/domain/settings.ts';

/** Nothing here is far away: what does not answer at once has a fault. */
const promptLimits: RpcLimits = { timeoutMilliseconds: 2_000, totalTimeoutMilliseconds: 1_000, retries: 0 };

/** The chain as the service's own adapters see it through these providers. */
export function chainThrough(urls: readonly string[], settings: ChainSettings, limits = promptLimits): Chain {
  const providers = connectProviders(urls, settings.chainId, limits);
  const { timeoutMilliseconds } = limits;
  return viemChain({ settings, connect: async () => providers, timeoutMilliseconds });
}
