import type { Address } from 'viem';
import { type ChainSettings, type RegistrySettings, registriesOf } from '../../functions/domain/settings.ts';
import { CommandFailedError } from '../terminal/errors.ts';
import type { Deployment } from './connect.ts';

/** Addresses that authorities may delegate to on a registry, newest first. */
export function delegateAddresses({ delegates }: RegistrySettings, ownAddress: Address): Address[] {
  return delegates.map((delegate) => (delegate === 'key' ? ownAddress : delegate));
}

/** Addresses of the forwarders among the delegates of a chain's registries. */
export function forwardersOf(settings: ChainSettings): Address[] {
  const delegates = registriesOf(settings).flatMap((registry) => registry.delegates);
  return delegates.filter((delegate) => delegate !== 'key');
}

export async function servedChain(deployment: Deployment, chainId: number): Promise<ChainSettings> {
  return chainOf((await deployment.settings()).chains, chainId);
}

/** Finds a chain's settings. @throws an error that lists the chains */
export function chainOf(
  chains: readonly ChainSettings[],
  chainId: number,
  ErrorType = CommandFailedError,
): ChainSettings {
  const chain = chains.find((chain) => chain.chainId === chainId);
  if (chain) return chain;
  const offered = chains.map((chain) => `${chain.chainId} (${chain.name})`).join(', ');
  throw new ErrorType(`chain ${chainId} is not served; this deployment serves ${offered}`);
}
