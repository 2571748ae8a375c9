import type { Address } from 'viem';
import type { ChainSettings } from '../../functions/domain/settings.ts';
import { ChainNotOfferedError, ForwarderMissingError } from '../terminal/errors.ts';
import type { Deployment } from './deployment.ts';

/** Addresses that authorities may delegate to, newest first. */
export function delegateAddresses({ delegates }: ChainSettings, ownAddress: Address): Address[] {
  return delegates.map((delegate) => (delegate === 'key' ? ownAddress : delegate));
}

/** Addresses of the forwarders among a chain's delegates. */
export function forwardersOf({ delegates }: ChainSettings): Address[] {
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
