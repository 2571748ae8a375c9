import type { Address } from 'viem';
import { connectProviders } from '../../../../functions/adapters/chain/providers.ts';
import { viemChain } from '../../../../functions/adapters/chain/viem-chain.ts';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { type ChainSettings, chainSettingsSchema } from '../../../../functions/domain/settings.ts';

const chainId = 31_337;

/** The chain as the service sees it. */
export function serviceChain(
  rpcUrl: string,
  registryAddress: Address,
  confirmations: ChainSettings['confirmations'] = 1,
): Chain {
  const settings = chainSettingsSchema.parse({ chainId, name: 'anvil', registryAddress, confirmations });
  const providers = connectProviders([rpcUrl], settings, { totalTimeoutMilliseconds: 10_000, retries: 0 });
  return viemChain({ settings, connect: async () => providers, timeoutMilliseconds: 20_000 });
}
