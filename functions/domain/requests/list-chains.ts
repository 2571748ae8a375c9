import { type Address, zeroHash } from 'viem';
import { findSignerList } from '../lane/signers.ts';
import type { Services } from '../services.ts';
import type { ChainSettings } from '../settings.ts';
import { currentDelegation, registryStates } from './delegation.ts';

export interface ServedChain {
  readonly chainId: number;
  readonly name: string;
  /** The newest registry on which the authority delegates to the service, or the newest registry. */
  readonly registryAddress: Address;
  readonly authorityAddress: Address;
  readonly delegateAddress: Address;
  /** State at the newest block; null if the chain is unreachable. */
  readonly delegationActive: boolean | null;
  readonly explorerUrl?: string | undefined;
}

export function listChains(services: Services, authorityAddress: Address): Promise<ServedChain[]> {
  return Promise.all(
    services.settings.chains.map((chain) => describeChain(services, chain, authorityAddress)),
  );
}

async function describeChain(
  services: Services,
  settings: ChainSettings,
  authorityAddress: Address,
): Promise<ServedChain> {
  const { chainId, name, explorerUrl } = settings;
  const [chosen, signers] = await Promise.all([
    delegatesOf(services, settings, authorityAddress),
    findSignerList(services.records, chainId),
  ]);
  const { registryAddress, delegateAddress, active } = await currentDelegation(
    services,
    settings,
    chosen ?? [],
    { signers },
  );
  const delegationActive = chosen === undefined ? null : active;
  return {
    ...{ chainId, name, registryAddress, authorityAddress, delegateAddress },
    ...{ delegationActive, explorerUrl },
  };
}

/** Reads the authority's delegates; `undefined` if the chain is unreachable, so that other chains are still listed. */
async function delegatesOf({ chain, log }: Services, { chainId }: ChainSettings, authorityAddress: Address) {
  try {
    // The digest belongs to no content, because only the delegate is needed.
    const states = await registryStates(chain(chainId), { authorityAddress, digest: zeroHash });
    return states.map(({ delegateAddress }) => delegateAddress);
  } catch (error) {
    log.error('delegation not read', error, { chainId });
    return undefined;
  }
}
