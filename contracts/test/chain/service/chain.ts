import type { Address } from 'viem';
import { beforeAll } from 'vitest';
import { connectProviders } from '../../../../functions/adapters/chain/providers.ts';
import { viemChain } from '../../../../functions/adapters/chain/viem-chain.ts';
import type { Chain } from '../../../../functions/domain/chain.ts';
import { type ChainSettings, chainSettingsSchema } from '../../../../functions/domain/settings.ts';
import { startForwarder } from '../forwarder.ts';
import { registry, useRegistry } from '../use-registry.ts';

const chainId = 31_337;

/** The chain as the service sees it. */
export function serviceChain(
  rpcUrl: string,
  registryAddress: Address,
  confirmations: ChainSettings['confirmations'] = 1,
): Chain {
  const settings = chainSettingsSchema.parse({ chainId, name: 'anvil', registryAddress, confirmations });
  const providers = connectProviders([rpcUrl], settings, { roundTimeoutMilliseconds: 60_000, retries: 0 });
  return viemChain({ settings, connect: async () => providers, timeoutMilliseconds: 120_000 });
}

/** The forwarder of the current file. */
export let forwarder: Address;
/** The chain of the current file as the service sees it. */
export let chain: Chain;

/** Starts a chain with the registry and a forwarder for the tests of a file. */
export function useServiceChain(): void {
  useRegistry();
  beforeAll(async () => {
    forwarder = await startForwarder(registry);
    chain = serviceChain(registry.chain.rpcUrl, registry.address);
  });
}
