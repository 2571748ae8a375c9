import type { Address } from 'viem';
import { type ChainSettings, type RegistrySettings, registriesOf } from '../../functions/domain/settings.ts';
import { ChainNotOfferedError, ForwarderMissingError } from '../terminal/errors.ts';
import type { Deployment } from './deployment.ts';

/** Addresses that authorities may delegate to on a registry, newest first. */
export function delegateAddresses({ delegates }: RegistrySettings, ownAddress: Address): Address[] {
  return delegates.map((delegate) => (delegate === 'key' ? ownAddress : delegate));
}

/** Addresses of the forwarders among the delegates of a chain's registries. */
export function forwardersOf(settings: ChainSettings): Address[] {
  const delegates = registriesOf(settings).flatMap((registry) => registry.delegates);
  return delegates.filter((delegate) => delegate !== 'key');
}

/** Addresses of a chain's forwarders. @throws ForwarderMissingError where authorities delegate to the key itself. */
export function requireForwarders(settings: ChainSettings): Address[] {
  const forwarders = forwardersOf(settings);
  if (forwarders.length === 0) throw new ForwarderMissingError(settings.chainId);
  return forwarders;
}

/**
 * Finds the settings of a chain that the deployment serves. @throws ChainNotOfferedError that names the chains it
 * serves.
 */
export async function offeredChain(deployment: Deployment, chainId: number): Promise<ChainSettings> {
  const { chains } = await deployment.settings();
  const chain = chains.find((one) => one.chainId === chainId);
  if (!chain) throw new ChainNotOfferedError(chainId, chains);
  return chain;
}
